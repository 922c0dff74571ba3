package dev.duetime;

import dev.duetime.admin.Health;
import dev.duetime.admin.LimitUse;
import dev.duetime.admin.NodeSample;
import dev.duetime.admin.QueueActivity;
import dev.duetime.admin.QueueOverview;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.admin.TimerCount;
import dev.duetime.admin.TimerViews;
import dev.duetime.engine.LocalNode;
import dev.duetime.engine.operate.BulkOperations;
import dev.duetime.engine.report.OperatorReports;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Micros;
import dev.duetime.listener.OperatorAction.Kind;
import dev.duetime.store.StoreAdmin;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** An operator's view of a scheduler. Thread-safe. */
final class SchedulerAdmin implements TimerAdmin {
    private final Scheduler scheduler;
    private final StoreAdmin store;
    private final LocalNode engine;
    private final OperatorReports reports;
    private final BulkOperations bulk;
    private final IntPredicate goesOn;

    SchedulerAdmin(Scheduler scheduler, StoreAdmin store, LocalNode engine) {
        this(scheduler, store, engine, new OperatorReports(engine.listener(), scheduler::now, null), changed -> true);
    }

    private SchedulerAdmin(
            Scheduler scheduler, StoreAdmin store, LocalNode engine, OperatorReports reports, IntPredicate goesOn) {
        this.scheduler = scheduler;
        this.store = store;
        this.engine = engine;
        this.reports = reports;
        this.goesOn = goesOn;
        bulk = engine.operations().bulk();
    }

    @Override
    public TimerAdmin by(String operator) {
        Limits.text("operator", operator, Limits.NAME_LENGTH);
        return new SchedulerAdmin(scheduler, store, engine, reports.by(operator), goesOn);
    }

    @Override
    public TimerAdmin watched(IntPredicate check) {
        return new SchedulerAdmin(scheduler, store, engine, reports, Limits.given("goesOn", check));
    }

    /** Runs an operation in batches, and reports how many timers they changed, also if one of them fails. */
    private long inBatches(Kind kind, TimerQuery query, ToLongFunction<BulkOperations> work) {
        AtomicLong changed = new AtomicLong();
        BulkOperations counted = bulk.watched(batch -> {
            changed.addAndGet(batch);
            return goesOn.test(batch);
        });
        return reports.many(kind, query, changed::get, () -> work.applyAsLong(counted));
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
    public TimerViews views() {
        return store.views();
    }

    @Override
    public boolean revive(TimerKey key) {
        engine.refreshClock();
        return reports.one(
                Kind.REVIVE,
                key,
                () -> scheduler
                        .find(key)
                        .filter(timer -> timer.state() == TimerState.DEAD)
                        .map(dead -> bulk.revive(key, dead.generation()))
                        .orElse(false));
    }

    @Override
    public long revive(TimerQuery query) {
        checkState(query, TimerState.DEAD, "revive");
        engine.refreshClock();
        return inBatches(Kind.REVIVE, query, batches -> batches.revive(query));
    }

    @Override
    public boolean deliverNow(TimerKey key) {
        engine.refreshClock();
        return reports.one(
                Kind.DELIVER,
                key,
                () -> scheduler
                        .find(key)
                        .filter(timer -> timer.state() == TimerState.SCHEDULED)
                        .map(waiting -> bulk.deliverNow(key, waiting.generation()))
                        .orElse(false));
    }

    @Override
    public long deliverNow(TimerQuery query) {
        checkState(query, TimerState.SCHEDULED, "deliver");
        checkNotEverything(query, "deliver");
        engine.refreshClock();
        return inBatches(Kind.DELIVER, query, batches -> batches.deliverNow(query));
    }

    @Override
    public boolean reschedule(TimerKey key, Instant dueAt) {
        Instant moved = Micros.ceil(Limits.instant("dueAt", dueAt));
        return reports.one(
                Kind.RESCHEDULE,
                key,
                () -> scheduler
                        .find(key)
                        .filter(timer -> timer.state() == TimerState.SCHEDULED
                                && timer.content().recurrence() == null)
                        .map(waiting ->
                                bulk.reschedule(key, checked(waiting, moved).generation(), moved))
                        .orElse(false));
    }

    private static StoredTimer checked(StoredTimer waiting, Instant dueAt) {
        Instant expiresAt = waiting.content().expiresAt();
        if (expiresAt != null && expiresAt.isBefore(dueAt)) {
            throw new LimitException(
                    "dueAt",
                    "dueAt must not be after the deadline of the timer, %s, but was %s".formatted(expiresAt, dueAt));
        }
        return waiting;
    }

    @Override
    public long reschedule(TimerQuery query, Instant dueAt) {
        checkState(query, TimerState.SCHEDULED, "reschedule");
        checkNotEverything(query, "reschedule");
        Instant moved = Micros.ceil(Limits.instant("dueAt", dueAt));
        return inBatches(Kind.RESCHEDULE, query, batches -> batches.reschedule(query, moved));
    }

    @Override
    public boolean cancel(TimerKey key) {
        return reports.one(Kind.CANCEL, key, () -> scheduler.cancel(key) == CancelResult.CANCELLED);
    }

    @Override
    public long cancel(TimerQuery query) {
        checkState(query, TimerState.SCHEDULED, "cancel");
        checkNotEverything(query, "cancel");
        engine.refreshClock();
        return inBatches(
                Kind.CANCEL,
                query,
                batches -> batches.cancel(query, count -> engine.listener().cancelled(query, count)));
    }

    @Override
    public long purge(TimerQuery query, Instant endedBefore) {
        if (Limits.given("query", query).state() == TimerState.SCHEDULED) {
            throw new LimitException("state", "state must be a terminal one to purge but was SCHEDULED");
        }
        Limits.given("endedBefore", endedBefore);
        return inBatches(Kind.PURGE, query, batches -> batches.purge(query, endedBefore));
    }

    @Override
    public boolean pause(String queue) {
        engine.refreshClock();
        return pauseFor(queue, null);
    }

    @Override
    public boolean pause(String queue, String reason) {
        engine.refreshClock();
        return pauseFor(queue, Limits.text("reason", reason, Limits.REASON_LENGTH));
    }

    private boolean pauseFor(String queue, @Nullable String reason) {
        known(queue);
        return reports.queue(
                Kind.PAUSE, queue, () -> engine.operations().queues().pause(queue, reports.operator(), reason));
    }

    @Override
    public boolean resume(String queue) {
        known(queue);
        return reports.queue(
                Kind.RESUME, queue, () -> engine.operations().queues().resume(queue));
    }

    @Override
    public List<QueueOverview> queues() {
        engine.refreshClock();
        return engine.operations().queues().overview(engine.queues());
    }

    @Override
    public List<QueueActivity> activity() {
        engine.refreshClock();
        List<NodeSample> samples = engine.operations().queues().samples();
        return engine.queues().stream()
                .sorted()
                .map(queue -> new QueueActivity(
                        queue,
                        samples.stream()
                                .filter(each -> each.queue().equals(queue))
                                .toList()))
                .toList();
    }

    @Override
    public List<LimitUse> limits() {
        engine.refreshClock();
        Set<String> queues = engine.queues();
        return engine.operations().queues().limits().stream()
                .filter(each -> queues.contains(each.queue()))
                .toList();
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

    private static void checkNotEverything(TimerQuery query, String verb) {
        boolean everything = query.tenantId() == null
                && query.type() == null
                && query.queue() == null
                && query.dueFrom() == null
                && query.dueBefore() == null
                && query.filters().isEmpty();
        if (everything) {
            throw new LimitException(
                    "query",
                    "query must name a tenantId, type, queue, due time or filter to %s but was %s"
                            .formatted(verb, query));
        }
    }

    private static void checkState(TimerQuery query, TimerState only, String verb) {
        TimerState asked = Limits.given("query", query).state();
        if (asked != null && asked != only) {
            throw new LimitException("state", "state must be %s to %s but was %s".formatted(only, verb, asked));
        }
    }
}
