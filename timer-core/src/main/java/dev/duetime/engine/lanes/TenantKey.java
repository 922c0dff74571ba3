package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import org.jspecify.annotations.Nullable;

/**
 * A parallel key of one tenant.
 *
 * @param shard the shard of its timers
 */
public record TenantKey(String tenant, String parallelKey, int shard) {
    /** Returns the key of a timer; null if it has none. */
    public static @Nullable TenantKey of(StoredTimer timer) {
        String key = timer.content().parallelKey();
        return key == null ? null : new TenantKey(timer.key().tenantId(), key, timer.shard());
    }
}
