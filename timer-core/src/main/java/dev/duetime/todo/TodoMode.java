package dev.duetime.todo;

import dev.duetime.Beta;

/** The choice which todos of a queue may run at the same time, on all nodes together. */
@Beta
public enum TodoMode {
    /**
     * One todo at a time, in order of start date, whatever its priority. While a failed todo waits for its retry, the
     * next one runs. One node at a time owns all shards of the queue; a new queue gets one shard.
     */
    SEQUENTIAL,
    /** Any. */
    PARALLEL,
    /**
     * All todos at the same time, but those of one parallel key one at a time, in order of start date. While a failed
     * todo waits for its retry, the next one of its key runs. Todos without a key run freely.
     */
    PARALLEL_BY_KEY
}
