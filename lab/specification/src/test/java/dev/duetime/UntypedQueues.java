package dev.duetime;

import dev.duetime.engine.settings.QueueHandler;
import dev.duetime.engine.settings.TimerMerge;
import dev.duetime.todo.TodoMode;

/** Queues whose handler and merge see todos as they are stored, whatever their types, for tests of the engine. */
public final class UntypedQueues {
    private UntypedQueues() {}

    /** Gives a queue a handler of all types. */
    public static void handle(QueueBuilder queue, QueueHandler handler, TodoMode mode, int workers) {
        queue.handler(handler, mode, workers, null);
    }

    /** Gives a queue a merge of one type. */
    public static void merge(QueueBuilder queue, String type, TimerMerge merge) {
        queue.merge(type, merge);
    }
}
