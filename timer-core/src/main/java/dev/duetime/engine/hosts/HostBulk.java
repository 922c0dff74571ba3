package dev.duetime.engine.hosts;

import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.engine.operate.BulkOperations;
import dev.duetime.internal.inside.Hosts;
import dev.duetime.store.ScheduleStore;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The bulk operations of an operator on several hosts, one host after the other. If a host is away, the other hosts are
 * done all the same, and the failure is reported. Thread-safe.
 */
final class HostBulk implements BulkOperations {
    private final Hosts hosts;
    private final Map<String, BulkOperations> bulks = new TreeMap<>();

    /**
     * Creates it.
     *
     * @param ofHost makes that of one host's store
     */
    HostBulk(Hosts hosts, Function<ScheduleStore, BulkOperations> ofHost) {
        this.hosts = hosts;
        hosts.stores().forEach((host, store) -> bulks.put(host, ofHost.apply(store)));
    }

    /** A generation is never used twice, so it is dead on one host at most. */
    @Override
    public boolean revive(TimerKey key, long generation) {
        @Nullable StoreException away = null;
        for (Map.Entry<String, BulkOperations> each : bulks.entrySet()) {
            try {
                if (hosts.call(each.getKey(), () -> each.getValue().revive(key, generation))) {
                    return true;
                }
            } catch (StoreException e) {
                away = away == null ? e : away;
            }
        }
        if (away != null) {
            throw away;
        }
        return false;
    }

    @Override
    public long revive(TimerQuery query) {
        return sum(bulk -> bulk.revive(query));
    }

    @Override
    public long cancel(TimerQuery query, IntConsumer cancelled) {
        return sum(bulk -> bulk.cancel(query, cancelled));
    }

    @Override
    public long purge(TimerQuery query, Instant endedBefore) {
        return sum(bulk -> bulk.purge(query, endedBefore));
    }

    private long sum(ToLongFunction<BulkOperations> work) {
        long sum = 0;
        @Nullable StoreException away = null;
        for (Map.Entry<String, BulkOperations> each : bulks.entrySet()) {
            try {
                sum += hosts.call(each.getKey(), () -> work.applyAsLong(each.getValue()));
            } catch (StoreException e) {
                away = away == null ? e : away;
            }
        }
        if (away != null) {
            throw away;
        }
        return sum;
    }
}
