package dev.duetime.testkit.simulation.invariant;

import dev.duetime.Envelope;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleDecision;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.simulation.invariant.Model.Row;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Scenario;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rule for recurring timers. A timer moves from an occurrence to the next one when the publisher has accepted it,
 * its deadline is over or its attempts are used up, and only then. Missed occurrences are an exception. {@link
 * CatchUp#LATEST} skips to a due occurrence. It delivers none whose successor is due, except for one to which the same
 * process has skipped. {@link CatchUp#NONE} also skips to the first one in the future. Each occurrence names the one
 * that was delivered before it.
 */
final class OccurrencesFollow implements Invariant {
    private final Scenario scenario;
    private final PublishAttempts tries = new PublishAttempts();

    /** The previous delivered occurrence, by generation. */
    private final Map<Long, Instant> previous = new HashMap<>();

    /** The process that has skipped to an occurrence, by generation. */
    private final Map<Long, String> skippedBy = new HashMap<>();

    OccurrencesFollow(Scenario scenario) {
        this.scenario = scenario;
    }

    @Override
    public void see(Event event, Model model) {
        tries.see(event, model);
        Event.Fact fact = event.fact();
        if (fact instanceof Event.Wrote wrote && ScheduleDecision.writes(wrote.result())) {
            wrote(wrote.timer(), model.rows.get(wrote.timer().key()));
        } else if (fact instanceof Event.Called called) {
            called.batch().forEach(each -> called(each, event, model));
        } else if (fact instanceof Event.Settled settled) {
            settled.settlements().stream().filter(model::applies).forEach(each -> {
                if (each instanceof Settlement.Moved moved) {
                    moved(moved, Objects.requireNonNull(model.rows.get(moved.key())), event, model);
                }
            });
        }
    }

    private void wrote(NewTimer timer, @Nullable Row row) {
        if (row != null
                && row.isScheduled(row.timer().generation())
                && row.timer().content().recurrence() != null
                && timer.content().recurrence() != null) {
            tells(timer.generation(), previous.get(row.timer().generation()));
        }
    }

    private void tells(long generation, @Nullable Instant before) {
        if (before != null) {
            previous.put(generation, before);
        }
    }

    private void called(Envelope envelope, Event event, Model model) {
        NewTimer timer = model.of(envelope);
        Instant before = previous.get(timer.generation());
        if (!Objects.equals(before, envelope.event().previous())) {
            throw violation(
                    timer, event, "tells of " + envelope.event().previous() + " as before, but that was " + before);
        }
        // Several calls at once: the process may have read again between the read of this timer and its call.
        if (timer.content().recurrence() == null
                || rule(timer).catchUp() == CatchUp.ALL
                || event.process().equals(skippedBy.get(timer.generation()))
                || scenario.concurrency() > 1) {
            return;
        }
        Optional<Instant> next = rule(timer).next(timer.content().dueAt());
        if (next.isPresent() && !next.get().isAfter(model.lastReadTime(event.process()))) {
            throw violation(timer, event, "is delivered though the next one was due at " + next.get());
        }
    }

    private void moved(Settlement.Moved moved, Row row, Event event, Model model) {
        NewTimer timer = row.timer();
        Instant dueAt = timer.content().dueAt();
        Instant before = previous.get(timer.generation());
        boolean follows = rule(timer).next(dueAt).equals(Optional.of(moved.dueAt()));
        boolean delivered =
                follows && dueAt.equals(moved.previousAt()) && tries.wasDelivered(timer.generation(), event);
        // A reschedule may begin with the instant that was delivered last.
        boolean skipped = Objects.equals(before, moved.previousAt())
                && ((follows && isOver(row, event, model))
                        || isPassedOver(rule(timer), dueAt, moved.dueAt(), model.latest(event)));
        if (!delivered && !skipped) {
            throw violation(timer, event, "was moved by %s to %s".formatted(event.process(), moved));
        }
        tells(moved.nextGeneration(), moved.previousAt());
        if (!delivered && rule(timer).catchUp() == CatchUp.LATEST) {
            skippedBy.put(moved.nextGeneration(), event.process());
        }
    }

    private boolean isOver(Row row, Event event, Model model) {
        boolean mayDie = scenario.maxAttempts() > 0 && row.attempt() + 1 >= scenario.maxAttempts();
        return mayDie || tries.isOver(row, event, model);
    }

    /** All recurrences of a run have shorter periods than the delay that {@link CatchUp#NONE} accepts. */
    private static boolean isPassedOver(Recurrence rule, Instant from, Instant to, Instant now) {
        boolean occurs = to.isAfter(from) && rule.latest(to).equals(Optional.of(to));
        return occurs
                && switch (rule.catchUp()) {
                    case ALL -> false;
                    case LATEST -> !to.isAfter(now);
                    case NONE ->
                        rule.next(from).filter(next -> !next.isAfter(now)).isPresent()
                                && rule.next(now)
                                        .filter(next -> !to.isAfter(next))
                                        .isPresent();
                };
    }

    /** Returns the recurrence of a recurring timer, with its catch-up. */
    static Recurrence rule(NewTimer timer) {
        return Recurrence.parse(String.valueOf(timer.content().recurrence()))
                .catchUp(Objects.requireNonNull(timer.content().catchUp(), "catchUp"));
    }

    private static Violation violation(NewTimer timer, Event event, String what) {
        return new Violation(
                timer.key(),
                "generation %d due %s (%s) %s: event %d at %s",
                timer.generation(),
                timer.content().dueAt(),
                timer.content().recurrence(),
                what,
                event.number(),
                event.at());
    }
}
