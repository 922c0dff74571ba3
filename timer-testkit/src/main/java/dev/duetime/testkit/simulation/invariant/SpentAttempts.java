package dev.duetime.testkit.simulation.invariant;

import dev.duetime.store.Settlement;
import dev.duetime.testkit.simulation.invariant.Model.Row;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Event.Life.What;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rule that only deliveries and runs that began spend attempts. An attempt may be counted just before it begins. It
 * is lost only if the process was hit by a fault at that moment. So a timer that kills its nodes costs the other timers
 * nothing.
 */
final class SpentAttempts implements Invariant {
    private final Map<Long, Integer> begun = new HashMap<>();
    private final Map<Long, Integer> inVain = new HashMap<>();

    /** The attempts that each process has counted and not begun yet: generation to event. */
    private final Map<String, Map<Long, Event>> counted = new TreeMap<>();

    /** The last event at which a fault hit each process. */
    private final Map<String, Integer> struckAt = new HashMap<>();

    @Override
    public void see(Event event, Model model) {
        Event.Fact fact = event.fact();
        if (fact instanceof Event.Called called) {
            called.batch().forEach(each -> begins(model.of(each).generation(), event));
        } else if (fact instanceof Event.Began began) {
            begins(began.todo().generation(), event);
        } else if (fact instanceof Event.Read) {
            of(event).forEach((generation, count) -> {
                if (model.stands(generation)) {
                    checkBegun(count, event);
                }
            });
        } else if (fact instanceof Event.Settled settled) {
            settled.settlements().stream().filter(model::applies).forEach(each -> settled(each, event, model));
        } else if (fact instanceof Event.Broken
                || fact instanceof Event.HeapWasFull
                || (fact instanceof Event.Life life && life.what() != What.STARTED)) {
            struckAt.put(event.process(), event.number());
        }
    }

    private Map<Long, Event> of(Event event) {
        return counted.computeIfAbsent(event.process(), process -> new TreeMap<>());
    }

    private void begins(long generation, Event event) {
        begun.merge(generation, 1, Integer::sum);
        of(event).remove(generation);
    }

    /** Time may have passed, so a lease or a deadline may have ended. */
    private void checkBegun(Event count, Event event) {
        boolean struck = struckAt.getOrDefault(event.process(), -1) > count.number();
        if (!struck && count.at().equals(event.at())) {
            throw new Violation(
                    null,
                    "%s counts attempts by event %d and reads on at once without one of them: event %d",
                    event.process(),
                    count.number(),
                    event.number());
        }
    }

    /** Returns whether no failure is written. A former owner may have written one since the timer was read. */
    private static boolean isCount(Settlement.Retried retried, Row row) {
        return retried.failure() == null || retried.wakeAt().equals(row.wakeAt());
    }

    private void settled(Settlement settlement, Event event, Model model) {
        if (settlement instanceof Settlement.Advanced advanced) {
            // A next step, a repeated step or a merged todo keeps the attempts so far.
            begun.put(advanced.next().generation(), advanced.next().attempt());
        }
        Row row = model.rows.get(settlement.key());
        int attempt = settlement instanceof Settlement.Retried retried
                ? retried.attempt()
                : settlement instanceof Settlement.Ended ended ? ended.attempt() : 0;
        if (row == null || attempt <= row.attempt()) {
            return;
        }
        long generation = settlement.generation();
        if (settlement instanceof Settlement.Retried retried && isCount(retried, row)) {
            if (of(event).put(generation, event) != null) {
                // The process lost the shard before the attempt began, and has it again.
                inVain.merge(generation, 1, Integer::sum);
            }
            Instant expiresAt = row.timer().content().expiresAt();
            boolean isExpired = expiresAt != null && event.at().isAfter(expiresAt);
            if (isExpired || !model.hasJustRead(event)) {
                // Its lease or the deadline may have ended.
                struckAt.put(event.process(), event.number() + 1);
            }
        }
        int open = (int) counted.values().stream()
                .filter(each -> each.containsKey(generation))
                .count();
        int began = begun.getOrDefault(generation, 0);
        int most = began + open + inVain.getOrDefault(generation, 0);
        if (attempt > most) {
            throw new Violation(
                    settlement.key(),
                    "generation %d has %d attempts on record, but began %d times: event %d",
                    generation,
                    attempt,
                    began,
                    event.number());
        }
    }
}
