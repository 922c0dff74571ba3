package dev.duetime.engine.hosts;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.engine.operate.BulkOperations;
import dev.duetime.internal.inside.FirstFailure;
import dev.duetime.internal.inside.Hosts;
import dev.duetime.store.ScheduleStore;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The bulk operations of an operator on several hosts, one host after the other. If a host is away, the other hosts are
 * done all the same, and the failure is reported. Thread-safe.
 */
final class HostBulk implements BulkOperations {
    private final Hosts hosts;
    private final Map<String, BulkOperations> bulks = new TreeMap<>();

    /** Returns whether an operation goes on after a batch of so many. */
    private final IntPredicate goesOn;

    /**
     * Creates the operations.
     *
     * @param ofHost returns the operations on one host's store
     */
    HostBulk(Hosts hosts, Function<ScheduleStore, BulkOperations> ofHost) {
        this.hosts = hosts;
        goesOn = written -> true;
        hosts.stores().forEach((host, store) -> bulks.put(host, ofHost.apply(store)));
    }

    private HostBulk(Hosts hosts, Map<String, BulkOperations> bulks, IntPredicate goesOn) {
        this.hosts = hosts;
        this.goesOn = goesOn;
        this.bulks.putAll(bulks);
    }

    /** A check that ends the operation on one host ends it before the next host. */
    @Override
    public BulkOperations watched(IntPredicate goesOn) {
        return new HostBulk(hosts, bulks, goesOn);
    }

    @Override
    public boolean revive(TimerKey key, long generation) {
        return onOne(bulk -> bulk.revive(key, generation));
    }

    @Override
    public boolean deliverNow(TimerKey key, long generation) {
        return onOne(bulk -> bulk.deliverNow(key, generation));
    }

    /** A generation is never used twice, so it stands on one host at most. */
    private boolean onOne(Predicate<BulkOperations> work) {
        FirstFailure failure = new FirstFailure();
        for (Map.Entry<String, BulkOperations> each : bulks.entrySet()) {
            if (failure.attempt(() -> hosts.call(each.getKey(), () -> work.test(each.getValue())), false)) {
                return true;
            }
        }
        failure.rethrow();
        return false;
    }

    @Override
    public long revive(TimerQuery query) {
        return sum(bulk -> bulk.revive(query));
    }

    @Override
    public long deliverNow(TimerQuery query) {
        return sum(bulk -> bulk.deliverNow(query));
    }

    @Override
    public boolean reschedule(TimerKey key, long generation, Instant dueAt) {
        return onOne(bulk -> bulk.reschedule(key, generation, dueAt));
    }

    @Override
    public long reschedule(TimerQuery query, Instant dueAt) {
        return sum(bulk -> bulk.reschedule(query, dueAt));
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
        FirstFailure failure = new FirstFailure();
        long sum = 0;
        AtomicBoolean ended = new AtomicBoolean();
        IntPredicate check = written -> {
            boolean on = goesOn.test(written);
            ended.set(!on);
            return on;
        };
        for (Map.Entry<String, BulkOperations> each : bulks.entrySet()) {
            if (ended.get()) {
                break;
            }
            BulkOperations bulk = each.getValue().watched(check);
            sum += failure.attempt(() -> hosts.call(each.getKey(), () -> work.applyAsLong(bulk)), 0L);
        }
        failure.rethrow();
        return sum;
    }
}
