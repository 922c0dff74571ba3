package dev.duetime.examples.timerservice;

import io.nats.client.Message;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The commands that failed although the database answered, by their sequence in the stream. The broker's count of
 * deliveries does not tell that: it also counts those that an outage of the database has caused. Used by one thread.
 */
final class CommandFailures {
    private final Map<Long, Count> counts = new LinkedHashMap<>();

    /** How often a command has failed for a reason that is likely to pass, and how often for one of its own. */
    private record Count(int waits, int refusals) {
        private static final Count NONE = new Count(0, 0);
    }

    /** Returns whether no command has failed that is still there. */
    boolean isEmpty() {
        return counts.isEmpty();
    }

    boolean contains(Message message) {
        return counts.containsKey(sequence(message));
    }

    /** Notes a failure for a reason of the command's own. Returns how many there were. */
    int addRefusal(Message message) {
        Count before = before(message);
        put(message, new Count(before.waits, before.refusals + 1));
        return before.refusals + 1;
    }

    /** Notes a failure that is likely to pass. Returns how many there were. */
    int addWait(Message message) {
        Count before = before(message);
        put(message, new Count(before.waits + 1, before.refusals));
        return before.waits + 1;
    }

    /** Forgets a command that has ended. */
    void remove(Message message) {
        counts.remove(sequence(message));
    }

    private Count before(Message message) {
        return counts.getOrDefault(sequence(message), Count.NONE);
    }

    /** The broker has no more commands under way. If the oldest is among them nevertheless, it is tried more often. */
    private void put(Message message, Count count) {
        counts.put(sequence(message), count);
        if (counts.size() > Streams.MOST_UNACKNOWLEDGED) {
            counts.remove(counts.keySet().iterator().next());
        }
    }

    private static long sequence(Message message) {
        return message.metaData().streamSequence();
    }
}
