package dev.duetime.passage;

import dev.duetime.CancelResult;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the ticks that stand those that are declared: schedules what is missing or different, and cancels what nobody has
 * known for long. Where all is well it costs one read. Thread-safe.
 */
final class TickKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(TickKeeper.class);
    private static final int PAGE = 1_000;

    private final String queue;
    private final Map<TimerKey, Tick> ticks;
    private final UnknownTicks unknown;

    TickKeeper(String queue, Map<TimerKey, Tick> ticks, UnknownTicks unknown) {
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
        standing.values().stream()
                .filter(timer -> !ticks.containsKey(timer.key()) && unknown.isGivenUp(timer, now))
                .forEach(timer -> cancel(timer.key(), scheduler));
    }

    private Map<TimerKey, StoredTimer> standing(Scheduler scheduler) {
        Map<TimerKey, StoredTimer> standing = new HashMap<>();
        TimerQuery query = TimerQuery.all()
                .tenantId(Ticks.TENANT)
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

    private void cancel(TimerKey key, Scheduler scheduler) {
        if (scheduler.cancel(key) == CancelResult.CANCELLED) {
            unknown.forget(key);
            LOG.info("tick {} is cancelled: no node has known it for long", key);
        }
    }
}
