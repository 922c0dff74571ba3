package dev.duetime;

import dev.duetime.admin.Health;
import dev.duetime.admin.QueueOverview;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.admin.TimerCount;
import dev.duetime.engine.LocalNode;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.store.StoreAdmin;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** An operator's view of a scheduler. Thread-safe. */
final class SchedulerAdmin implements TimerAdmin {
    private final Scheduler scheduler;
    private final StoreAdmin store;
    private final LocalNode engine;

    SchedulerAdmin(Scheduler scheduler, StoreAdmin store, LocalNode engine) {
        this.scheduler = scheduler;
        this.store = store;
        this.engine = engine;
    }

    @Override
    public List<StoredTimer> query(TimerQuery query) {
        return scheduler.query(query);
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return scheduler.find(key);
    }

    @Override
    public List<TimerCount> count(TimerQuery query) {
        return store.count(Limits.given("query", query)).stream()
                .sorted(Comparator.comparing(TimerCount::queue).thenComparing(TimerCount::state))
                .toList();
    }

    @Override
    public boolean revive(TimerKey key) {
        engine.refreshClock();
        return scheduler
                .find(key)
                .filter(timer -> timer.state() == TimerState.DEAD)
                .map(dead -> engine.operations().bulk().revive(key, dead.generation()))
                .orElse(false);
    }

    @Override
    public long revive(TimerQuery query) {
        checkState(query, TimerState.DEAD, "revive");
        engine.refreshClock();
        return engine.operations().bulk().revive(query);
    }

    @Override
    public long cancel(TimerQuery query) {
        checkState(query, TimerState.SCHEDULED, "cancel");
        boolean everything = query.tenantId() == null
                && query.type() == null
                && query.queue() == null
                && query.dueFrom() == null
                && query.dueBefore() == null;
        if (everything) {
            throw new LimitException(
                    "query", "query must name a tenantId, type, queue or due time to cancel but was " + query);
        }
        engine.refreshClock();
        return engine.cancel(query);
    }

    @Override
    public long purge(TimerQuery query, Instant endedBefore) {
        if (Limits.given("query", query).state() == TimerState.SCHEDULED) {
            throw new LimitException("state", "state must be a terminal one to purge but was SCHEDULED");
        }
        return engine.operations().bulk().purge(query, Limits.given("endedBefore", endedBefore));
    }

    @Override
    public boolean pause(String queue) {
        engine.refreshClock();
        return engine.operations().queues().pause(known(queue));
    }

    @Override
    public boolean resume(String queue) {
        return engine.operations().queues().resume(known(queue));
    }

    @Override
    public List<QueueOverview> queues() {
        engine.refreshClock();
        return engine.operations().queues().overview(engine.queues());
    }

    @Override
    public Health health() {
        return engine.health();
    }

    private String known(String queue) {
        Limits.text("queue", queue, Limits.QUEUE_LENGTH);
        if (!engine.knows(queue)) {
            throw new LimitException(
                    "queue", "queue must be one of %s but was %s".formatted(engine.queues(), Limits.shown(queue)));
        }
        return queue;
    }

    private static void checkState(TimerQuery query, TimerState only, String verb) {
        TimerState asked = Limits.given("query", query).state();
        if (asked != null && asked != only) {
            throw new LimitException("state", "state must be %s to %s but was %s".formatted(only, verb, asked));
        }
    }
}
