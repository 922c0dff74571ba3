package dev.duetime.store;

import dev.duetime.Beta;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One schedule on its way into a store.
 *
 * @param key its key
 * @param shard the shard of its queue
 * @param content its content
 * @param generation the generation that it gets if it is accepted; from {@code 0} to {@code 2^62 - 1}, never used
 *     before
 * @param registeredAt the time of the call
 * @param rearm whether a key that was reached, expired or died is scheduled again
 * @param routingKey the key that decides its place in a store of several databases; null if its correlation key or its
 *     own key decides
 */
@Beta
public record NewTimer(
        TimerKey key,
        int shard,
        TimerContent content,
        long generation,
        Instant registeredAt,
        boolean rearm,
        @Nullable String routingKey) {

    /** Creates a schedule that is placed by its parallel key, if it has one. */
    public NewTimer(
            TimerKey key, int shard, TimerContent content, long generation, Instant registeredAt, boolean rearm) {
        this(key, shard, content, generation, registeredAt, rearm, content.parallelKey());
    }

    /** Returns this schedule in another shard of its queue. */
    public NewTimer withShard(int other) {
        return new NewTimer(key, other, content, generation, registeredAt, rearm, routingKey);
    }

    /** Returns this schedule with another content. */
    public NewTimer withContent(TimerContent other) {
        return new NewTimer(key, shard, other, generation, registeredAt, rearm, routingKey);
    }
}
