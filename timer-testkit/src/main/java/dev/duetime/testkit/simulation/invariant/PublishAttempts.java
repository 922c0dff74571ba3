package dev.duetime.testkit.simulation.invariant;

import dev.duetime.testkit.simulation.invariant.Model.Row;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Scenario;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The generations that each process has handed to the publisher, and those that the publisher accepted. */
final class PublishAttempts {
    private final Map<String, Set<Long>> tried = new HashMap<>();
    private final Map<String, Set<Long>> delivered = new HashMap<>();

    void see(Event event, Model model) {
        if (event.fact() instanceof Event.Called called) {
            called.batch().forEach(each -> of(tried, event).add(model.of(each).generation()));
        } else if (event.fact() instanceof Event.Accepted accepted) {
            of(delivered, event).add(model.of(accepted.envelope()).generation());
        }
    }

    boolean wasDelivered(long generation, Event by) {
        return of(delivered, by).contains(generation);
    }

    /**
     * Returns whether the deadline of a row has passed. A timer also expires if its next retry would be too late: then
     * the deadline may be up to one retry delay ahead.
     */
    boolean isOver(Row row, Event at, Model model) {
        Instant expiresAt = row.timer().content().expiresAt();
        boolean wasTried = of(tried, at).contains(row.timer().generation());
        Instant latest = model.latest(at);
        Instant over = wasTried ? latest.plus(Scenario.LONGEST_RETRY) : latest;
        return expiresAt != null && expiresAt.isBefore(over);
    }

    private static Set<Long> of(Map<String, Set<Long>> generations, Event event) {
        return generations.computeIfAbsent(event.process(), process -> new HashSet<>());
    }
}
