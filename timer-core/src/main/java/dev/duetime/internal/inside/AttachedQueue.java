package dev.duetime.internal.inside;

import dev.duetime.Timers;
import dev.duetime.store.Transaction;
import java.util.function.Function;
import java.util.function.Supplier;

/** The inside of a todo queue: the builder of a scheduler connects the queue with that scheduler. Thread-safe. */
public interface AttachedQueue {
    /**
     * Lets the queue be used through a scheduler.
     *
     * @param timers returns what to enqueue through, for each call
     * @param joined returns what to enqueue through inside a transaction of the caller's
     */
    void attach(Supplier<Timers> timers, Function<Transaction, Timers> joined);
}
