package dev.duetime.passage;

import dev.duetime.CancelResult;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the ticks that stand those that are declared: schedules what is missing or different, and cancels what nobody has
 * known for long. One that it knows, and that is due and not delivered, may be in a shard of a node that does not know it:
 * then it says on the row that somebody does. Where all is well it costs one read. Thread-safe.
 */
final class TickReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(TickReconciler.class);
    private static final int PAGE = 1_000;

    /** So long a tick may be due before it is said, and said again; some times in what {@link UnknownTicks} gives it. */
    private static final Duration UNTIL_SAID = Duration.ofHours(6);

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

    void tend(Scheduler scheduler) {
        Map<TimerKey, StoredTimer> standing = standing(scheduler);
        List<Tick> missing = ticks.values().stream()
                .filter(tick -> {
                    StoredTimer timer = standing.get(tick.key());
                    return timer == null || !tick.is(timer);
                })
                .toList();
        if (!missing.isEmpty()) {
            scheduler.scheduleAll(missing.stream().map(Tick::timer).toList());
        }
        Instant now = scheduler.admin().health().at();
        List<Settlement> known = standing.values().stream()
                .filter(timer -> ticks.containsKey(timer.key()) && isLeftBehind(timer, now))
                .map(timer -> known(timer, now))
                .toList();
        if (!known.isEmpty()) {
            scheduler.store().settle(known);
        }
        standing.values().stream()
                .filter(timer -> !ticks.containsKey(timer.key()) && unknown.isGivenUp(timer, now))
                .forEach(timer -> cancel(timer, now, scheduler));
    }

    private static boolean isLeftBehind(StoredTimer tick, Instant now) {
        Instant longAgo = now.minus(UNTIL_SAID);
        Failure failure = tick.failure();
        return tick.dueAt().isBefore(longAgo)
                && (failure == null || failure.lastAt().isBefore(longAgo));
    }

    /** As a failure, which whoever delivers it clears, and whoever does not know it takes for a try. One that it has stays. */
    private static Settlement known(StoredTimer tick, Instant now) {
        Failure before = tick.failure();
        Failure failure =
                before == null ? new Failure(KNOWN, now, now) : new Failure(before.error(), before.firstAt(), now);
        Instant wakeAt = Objects.requireNonNullElse(tick.wakeAt(), now);
        return new Settlement.Retried(tick.key(), tick.generation(), wakeAt, tick.attempt(), failure);
    }

    private Map<TimerKey, StoredTimer> standing(Scheduler scheduler) {
        Map<TimerKey, StoredTimer> standing = new HashMap<>();
        TimerQuery query = TimerQuery.all()
                .tenantId(Tick.TENANT)
                .queue(queue)
                .state(TimerState.SCHEDULED)
                .limit(PAGE);
        List<StoredTimer> page = scheduler.query(query);
        while (true) {
            page.forEach(timer -> standing.put(timer.key(), timer));
            if (page.size() < PAGE) {
                return standing;
            }
            page = scheduler.query(query.after(page.get(page.size() - 1).key()));
        }
    }

    /** Only as it was read: a node that knows it may have delivered it, or declared it anew, since. */
    private void cancel(StoredTimer tick, Instant now, Scheduler scheduler) {
        TimerVersion read = new TimerVersion(tick.key(), tick.generation(), tick.state(), true);
        if (scheduler.store().admin().cancel(List.of(read), now) > 0) {
            unknown.forget(tick.key());
            scheduler.listener().cancelled(tick.key(), CancelResult.CANCELLED);
            LOG.info(
                    "tick {} is cancelled: this node has been putting it off for a day, and none knows it", tick.key());
        }
    }
}
