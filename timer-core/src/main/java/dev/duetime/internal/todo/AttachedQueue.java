package dev.duetime.internal.todo;

import dev.duetime.Timers;
import dev.duetime.store.Transaction;
import java.util.function.Function;
import java.util.function.Supplier;

/** The inside of a todo queue: its settings, and its connection with the scheduler that runs it. Thread-safe. */
public interface AttachedQueue {
    /** Returns the settings of the queue. */
    TodoSettings settings();

    /**
     * Connects the queue with a scheduler. A later call replaces the scheduler of an earlier one.
     *
     * @param timers returns what to enqueue through, for each call
     * @param joined returns what to enqueue through inside a transaction of the caller's
     */
    void attach(Supplier<Timers> timers, Function<Transaction, Timers> joined);
}
