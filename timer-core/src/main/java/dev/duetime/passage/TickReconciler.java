package dev.duetime.passage;

import dev.duetime.CancelResult;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.engine.schedule.RowsApart;
import dev.duetime.internal.timer.DeclaredTimers;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reconciliation of the stored ticks with the declared ones. It schedules ticks that are missing or different, and
 * cancels ticks that no node has known for long. If a declared tick is due and not delivered, its shard may be on a
 * node that does not know it. Then this class notes on the row that a node knows it. If nothing is to be done, it costs
 * one read. A tick that cannot be written stops no other tick: the others are written, and then the first failure is
 * thrown. Thread-safe.
 */
final class TickReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(TickReconciler.class);

    /**
     * How long a tick may be due before the reconciler notes on the row that a node knows it; several times shorter
     * than the limit of {@link UnknownTicks}.
     */
    private static final Duration UNTIL_NOTED = Duration.ofHours(6);

    private static final String KNOWN =
            "due and not delivered: its queue is paused, or its shard is with a node that does not know it";

    private final String queue;
    private final Map<TimerKey, Tick> ticks;
    private final UnknownTicks unknown;

    TickReconciler(String queue, Map<TimerKey, Tick> ticks, UnknownTicks unknown) {
        this.queue = queue;
        this.ticks = ticks;
        this.unknown = unknown;
    }

    /**
     * Reconciles the ticks.
     *
     * @return until when nothing is to be done, unless something is written to the store
     */
    Instant reconcile(Scheduler scheduler) {
        Map<TimerKey, StoredTimer> stored = DeclaredTimers.scheduled(queue, scheduler::query);
        List<Tick> missing = ticks.values().stream()
                .filter(tick -> {
                    StoredTimer timer = stored.get(tick.key());
                    return timer == null || !tick.is(timer);
                })
                .toList();
        RowsApart<Timer> declared =
                new RowsApart<>(timers -> scheduler.scheduleAll(timers).size());
        declared.write(missing.stream().map(Tick::timer).toList());
        Instant now = scheduler.admin().health().at();
        List<Settlement> known = stored.values().stream()
                .filter(timer -> ticks.containsKey(timer.key()) && isLeftBehind(timer, now))
                .map(timer -> known(timer, now))
                .toList();
        RowsApart<Settlement> noted = new RowsApart<>(scheduler.store()::settle);
        noted.write(known);
        RowsApart<StoredTimer> givenUp = new RowsApart<>(one -> cancel(one.get(0), now, scheduler));
        stored.values().stream()
                .filter(timer -> !ticks.containsKey(timer.key()) && unknown.isGivenUp(timer, now))
                .forEach(timer -> givenUp.write(List.of(timer)));
        declared.throwFirst();
        noted.throwFirst();
        givenUp.throwFirst();
        boolean inOrder = missing.isEmpty() && known.isEmpty() && ticks.keySet().containsAll(stored.keySet());
        return inOrder
                ? stored.values().stream()
                        .map(TickReconciler::leftBehindAt)
                        .min(Instant::compareTo)
                        .orElse(Instant.MAX)
                : Instant.MIN;
    }

    private static boolean isLeftBehind(StoredTimer tick, Instant now) {
        return leftBehindAt(tick).isBefore(now);
    }

    private static Instant leftBehindAt(StoredTimer tick) {
        Failure failure = tick.failure();
        Instant known = failure == null || failure.lastAt().isBefore(tick.dueAt()) ? tick.dueAt() : failure.lastAt();
        return known.plus(UNTIL_NOTED);
    }

    /**
     * Returns a settlement that notes a failure on the row. The node that delivers the tick clears it. A node that does
     * not know the tick takes it as a sign of life. An earlier error stays.
     */
    private static Settlement known(StoredTimer tick, Instant now) {
        Failure before = tick.failure();
        Failure failure =
                before == null ? new Failure(KNOWN, now, now) : new Failure(before.error(), before.firstAt(), now);
        Instant wakeAt = Objects.requireNonNullElse(tick.wakeAt(), now);
        return new Settlement.Retried(tick.key(), tick.generation(), wakeAt, tick.attempt(), failure);
    }

    /**
     * Cancels a tick only if it is still as it was read: a node that knows it may have delivered or declared it again
     * since.
     */
    private int cancel(StoredTimer tick, Instant now, Scheduler scheduler) {
        TimerVersion read = new TimerVersion(tick.key(), tick.generation(), tick.state(), true);
        int cancelled = scheduler.store().admin().cancel(List.of(read), now);
        if (cancelled > 0) {
            unknown.forget(tick.key());
            scheduler.listener().cancelled(tick.key(), CancelResult.CANCELLED);
            LOG.info("tick {} is cancelled: this node has postponed it for a day, and no node knows it", tick.key());
        }
        return cancelled;
    }
}
