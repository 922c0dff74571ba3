package dev.duetime.testkit.simulation.invariant;

import dev.duetime.Envelope;
import dev.duetime.RateLimit;
import dev.duetime.testkit.simulation.run.ClusterLimits;
import dev.duetime.testkit.simulation.run.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rule that a rate is used. While all nodes have a backlog and nothing goes wrong, nine tenths of what the rate
 * allows begin, of the queue, of each tenant, or of the type. Timers of the type need two permits at once if only some
 * of them may be in calls: then three quarters are enough. If the queue has a rate, too, others take its permits: then
 * a quarter of the rate of the type is enough.
 */
final class RatesServed implements Invariant {
    private static final double MOST_OF_IT = 0.9;
    private static final double OF_TWO_LIMITS = 0.75;
    private static final double BESIDE_ANOTHER = 0.25;

    /** Nodes learn within this time what the others need. */
    private static final Duration TO_SETTLE = Duration.ofSeconds(15);

    private final ClusterLimits limits;
    private final Map<String, Integer> begun = new HashMap<>();
    private Instant from = Instant.MAX;

    RatesServed(ClusterLimits limits) {
        this.limits = limits;
    }

    @Override
    public void see(Event event, Model model) {
        if (event.fact() instanceof Event.Phase phase && phase.name().equals("calm")) {
            from = event.at().plus(TO_SETTLE);
        } else if (event.fact() instanceof Event.Phase phase && phase.name().equals("quiet")) {
            check(event);
        } else if (event.fact() instanceof Event.Called called && !event.at().isBefore(from)) {
            called.batch().forEach(this::count);
        }
    }

    private void count(Envelope envelope) {
        begun.merge("the queue", 1, Integer::sum);
        begun.merge("tenant " + envelope.key().tenantId(), 1, Integer::sum);
        begun.merge("type " + envelope.type(), 1, Integer::sum);
    }

    private void check(Event event) {
        check("the queue", limits.rate(), MOST_OF_IT, event);
        for (String tenant : new String[] {"t0", "t1", "t2"}) {
            check("tenant " + tenant, limits.tenantRate(), MOST_OF_IT, event);
        }
        double alone = limits.typeConcurrency() == 0 ? MOST_OF_IT : OF_TWO_LIMITS;
        double part = limits.rate() == null ? alone : BESIDE_ANOTHER;
        check("type " + ClusterLimits.LIMITED, limits.typeRate(), part, event);
    }

    private void check(String whose, @Nullable RateLimit limit, double part, Event event) {
        if (limit == null) {
            return;
        }
        double allowed = (double) limit.permits()
                * Duration.between(from, event.at()).toNanos()
                / limit.period().toNanos();
        int count = begun.getOrDefault(whose, 0);
        if (count + 1 < part * allowed) {
            throw new Violation(
                    null,
                    "%d timers of %s have begun, but the rate allows %.1f: event %d",
                    count,
                    whose,
                    allowed,
                    event.number());
        }
    }
}
