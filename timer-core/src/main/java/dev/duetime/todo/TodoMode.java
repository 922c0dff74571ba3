package dev.duetime.todo;

import dev.duetime.Beta;

/** The choice which todos of a queue may run at the same time, on all nodes together. */
@Beta
public enum TodoMode {
    /**
     * One at a time, in order of start date, whatever its priority; while one that failed waits for its retry, the next
     * goes on. Needs a queue of one shard.
     */
    SEQUENTIAL,
    /** Any. */
    PARALLEL,
    /**
     * Any, but those of one parallel key one at a time, in order of start date; while one that failed waits for its
     * retry, the next of its key goes on. Those without a key are free.
     */
    PARALLEL_BY_KEY
}
