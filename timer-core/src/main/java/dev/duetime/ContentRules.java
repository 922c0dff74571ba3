package dev.duetime;

/**
 * Holds what a scheduler adds to a timer, and the limit it sets.
 *
 * @param codec what encodes payloads
 * @param maxPayloadBytes the largest encoded payload
 * @param deadlines how long timers that do not say so themselves are worth delivering
 */
record ContentRules(PayloadCodec codec, int maxPayloadBytes, Deadlines deadlines) {}
