package dev.duetime;

/**
 * The way from payloads to bytes and back. The default writes JSON with Jackson ({@link JacksonCodec}); give another to
 * {@code Scheduler.builder().codec(…)}. Implementations must be thread-safe.
 */
public interface PayloadCodec {

    /**
     * Returns the bytes that are stored for a payload.
     *
     * @throws RuntimeException if the payload cannot be encoded; {@code schedule} then throws a {@link
     *     PayloadException} and writes nothing
     */
    byte[] encode(Object payload);

    /**
     * Returns the payload that the bytes encode.
     *
     * @throws RuntimeException if the bytes are not such a payload; {@link Payload#as} then throws a {@link
     *     PayloadException}
     */
    <T> T decode(byte[] bytes, Class<T> type);
}
