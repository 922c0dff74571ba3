package dev.duetime.internal;

/** The inside of a payload: how large it is in a JSON message. */
@FunctionalInterface
public interface MessageSize {
    /** Returns how many bytes the payload takes in Base64; more than an {@code int} holds are the largest. */
    static int inBase64(int bytes) {
        return (int) Math.min(Integer.MAX_VALUE, (bytes + 2L) / 3 * 4);
    }

    /**
     * Returns how many bytes the payload takes in a message: its own number if it is JSON, otherwise a third more, as
     * Base64.
     */
    int inMessage();
}
