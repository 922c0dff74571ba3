package dev.duetime.internal.inside;

import dev.duetime.UnknownTypeException;

/**
 * The inside of a publisher that hands timers on by their type: the engine asks before it publishes a timer, so that
 * one of an unknown type takes no permit and no call. Thread-safe.
 */
public interface KnownTypes {
    /**
     * Checks whether a timer of this type can be delivered here.
     *
     * @throws UnknownTypeException if there is no handler for it
     */
    void check(String type);
}
