package dev.duetime.engine.settings;

import dev.duetime.Publisher;
import dev.duetime.todo.TodoMode;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of one queue.
 *
 * @param name the queue
 * @param publisher where its timers go; null if they go to a handler, or this node only schedules on it
 * @param handler what runs its todos; null if it has none
 * @param merges what merges those of one correlation key, by type
 * @param pollInterval the longest wait between two polls
 * @param batchSize how many timers are read and published at once, at most
 * @param concurrency how many calls of the publisher run at once, at most
 * @param shards how many shards a new queue gets; empty for the store's default
 * @param retention how long ended timers are kept; zero deletes them when they are settled
 * @param retries when a failed delivery is tried again
 * @param limits how many timers are in delivery at once, and begin in a time, on all nodes together
 * @param readBytes how many bytes of timers one read takes, at most
 */
public record QueueSettings(
        String name,
        @Nullable Publisher publisher,
        @Nullable HandlerSettings handler,
        Map<String, TimerMerge> merges,
        Duration pollInterval,
        int batchSize,
        int concurrency,
        OptionalInt shards,
        Duration retention,
        RetryPolicies retries,
        QueueLimits limits,
        long readBytes) {

    /** Copies the merges. */
    public QueueSettings {
        merges = Map.copyOf(merges);
    }

    /** Returns these settings with another number of shards. */
    public QueueSettings withShards(int count) {
        return new QueueSettings(
                name,
                publisher,
                handler,
                merges,
                pollInterval,
                batchSize,
                concurrency,
                OptionalInt.of(count),
                retention,
                retries,
                limits,
                readBytes);
    }

    /** Returns these settings with another bound of a read. */
    public QueueSettings withReadBytes(long bytes) {
        return new QueueSettings(
                name,
                publisher,
                handler,
                merges,
                pollInterval,
                batchSize,
                concurrency,
                shards,
                retention,
                retries,
                limits,
                bytes);
    }

    /** Returns whether this node delivers the queue. */
    public boolean isServed() {
        return publisher != null || handler != null;
    }

    /** Returns whether this node runs its todos one at a time, on all nodes together. */
    public boolean isSequential() {
        return handler != null && handler.mode() == TodoMode.SEQUENTIAL;
    }
}
