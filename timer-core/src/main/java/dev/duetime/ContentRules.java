package dev.duetime;

/**
 * Holds what a scheduler adds to a timer, and the limit it sets.
 *
 * @param codec what encodes payloads
 * @param maxPayloadBytes the largest encoded payload
 * @param deadlines how long timers that do not say so themselves are worth delivering
 */
record ContentRules(PayloadCodec codec, int maxPayloadBytes, Deadlines deadlines) {

    /**
     * Returns the payload.
     *
     * @param of whose it is
     * @throws IllegalArgumentException if it is larger than the limit
     */
    Payload checked(Payload payload, Object of) {
        if (payload.size() > maxPayloadBytes) {
            throw new LimitException(
                    "payload",
                    "payload must be at most %d bytes but was %d (%s)".formatted(maxPayloadBytes, payload.size(), of));
        }
        return payload;
    }
}
