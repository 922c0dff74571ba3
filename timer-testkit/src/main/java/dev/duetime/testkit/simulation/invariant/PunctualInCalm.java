package dev.duetime.testkit.simulation.invariant;

import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleDecision;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.simulation.invariant.Model.Row;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Fault;
import dev.duetime.testkit.simulation.run.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rule that nothing is late while nothing goes wrong. A timer that was scheduled on the node that owns its shard is
 * delivered at its time, any other one at most a polling interval later. Each following occurrence of a recurring timer
 * is delivered at its time. The same holds if the reply to the schedule was lost after the commit, and for all other
 * timers while another transaction holds the row of one timer. An occurrence is skipped only if its successor was due
 * before it had to be delivered.
 */
final class PunctualInCalm implements Invariant {
    /** How long a read leaves rows alone that are being cancelled, and other due timers with them. */
    private static final Duration WHILE_CANCELLING = Duration.ofMillis(50);

    /** How long an outcome waits for a held row before it is set aside. Few rows are held at a time. */
    private static final Duration WHILE_OTHERS_HOLD_ROWS = Duration.ofMillis(600);

    /** The longest time between two looks for the hints of other nodes. */
    private static final Duration LOOKS = Duration.ofSeconds(1);

    private final Duration elsewhere;
    private final Duration tolerance;
    private final Set<TimerKey> heldRows = new HashSet<>();
    private final Map<String, List<ScheduleResult>> written = new HashMap<>();
    private final Set<Long> delivered = new HashSet<>();

    /** The time by which each generation must be delivered. */
    private final Map<Long, Instant> latest = new HashMap<>();

    private boolean calm;

    PunctualInCalm(Scenario scenario, boolean hints) {
        boolean looks = hints
                && !scenario.faults().contains(Fault.LOST_HINT)
                && scenario.poll().compareTo(LOOKS) > 0;
        elsewhere = looks ? LOOKS : scenario.poll();
        boolean holds = scenario.faults().contains(Fault.HELD_ROW);
        tolerance = holds ? WHILE_CANCELLING.plus(WHILE_OTHERS_HOLD_ROWS) : WHILE_CANCELLING;
    }

    @Override
    public void see(Event event, Model model) {
        if (event.fact() instanceof Event.Phase phase) {
            calm = phase.name().equals("calm") || phase.name().equals("quiet");
        } else if (calm && event.fact() instanceof Event.UserScheduled scheduled) {
            written.remove(event.process());
            if (scheduled.result() != null) {
                expect(scheduled.result(), event, model);
            }
        } else if (calm && event.fact() instanceof Event.Held held) {
            heldRows.add(held.key());
        } else if (calm && event.fact() instanceof Event.Refused refused) {
            heldRows.add(refused.key());
        } else if (calm && event.fact() instanceof Event.Wrote wrote) {
            written.computeIfAbsent(event.process(), process -> new ArrayList<>())
                    .add(wrote.result());
        } else if (event.fact() instanceof Event.Broken broken && broken.call() == StoreCall.SCHEDULE) {
            List<ScheduleResult> done = written.remove(event.process());
            if (done != null) {
                done.forEach(each -> expect(each, event, model));
            }
        } else if (event.fact() instanceof Event.Settled settled) {
            settled.settlements().stream().filter(model::applies).forEach(each -> settled(each, event, model));
        } else if (event.fact() instanceof Event.Accepted accepted) {
            accepted(accepted, event, model);
        }
    }

    private void accepted(Event.Accepted accepted, Event event, Model model) {
        long generation = model.of(accepted.envelope()).generation();
        delivered.add(generation);
        Instant by = latest.get(generation);
        if (by != null
                && event.at().isAfter(by)
                && !heldRows.contains(accepted.envelope().key())) {
            throw new Violation(
                    accepted.envelope().key(),
                    "generation %d due %s was delivered at %s, though nothing went wrong and %s was the latest:"
                            + " event %d",
                    generation,
                    accepted.envelope().event().dueAt(),
                    event.at(),
                    by,
                    event.number());
        }
    }

    /** A schedule whose reply was lost wakes the loop of its node as well. */
    private void expect(ScheduleResult result, Event event, Model model) {
        NewTimer timer = model.accepted.get(result.envelopeId());
        if (timer != null && ScheduleDecision.writes(result)) {
            expect(timer.generation(), timer.shard(), timer.content().dueAt(), event, model);
        }
    }

    private void expect(long generation, int shard, Instant dueAt, Event event, Model model) {
        Duration wait = model.isHeld(shard, event) ? Duration.ZERO : elsewhere;
        Instant from = dueAt.isBefore(event.at()) ? event.at() : dueAt;
        latest.putIfAbsent(generation, from.plus(wait).plus(tolerance));
    }

    private void settled(Settlement settlement, Event event, Model model) {
        Row row = model.rows.get(settlement.key());
        if (row == null || settlement instanceof Settlement.Retried) {
            return;
        }
        checkSkipped(settlement, row, event);
        if (calm && settlement instanceof Settlement.Moved moved) {
            expect(moved.nextGeneration(), row.timer().shard(), moved.dueAt(), event, model);
        }
    }

    private void checkSkipped(Settlement settlement, Row row, Event event) {
        Instant by = latest.get(settlement.generation());
        if (by == null || delivered.contains(settlement.generation()) || heldRows.contains(settlement.key())) {
            return;
        }
        Instant expiresAt = row.timer().content().expiresAt();
        boolean expired = expiresAt != null && !expiresAt.isAfter(by);
        if (!expired && !isReplacedBy(by, row.timer())) {
            throw new Violation(
                    settlement.key(),
                    "generation %d was ended by %s without a delivery, though nothing went wrong and %s was the latest:"
                            + " event %d",
                    settlement.generation(),
                    settlement,
                    by,
                    event.number());
        }
    }

    /** Returns whether the catch-up of a timer may skip its occurrence, because the next one is due by then. */
    private static boolean isReplacedBy(Instant by, NewTimer timer) {
        if (timer.content().recurrence() == null) {
            return false;
        }
        Recurrence rule = OccurrencesFollow.rule(timer);
        return rule.catchUp() != CatchUp.ALL
                && rule.next(timer.content().dueAt())
                        .filter(next -> !next.isAfter(by))
                        .isPresent();
    }
}
