package dev.duetime.testkit.simulation.invariant;

import dev.duetime.Envelope;
import dev.duetime.RateLimit;
import dev.duetime.testkit.simulation.run.ClusterLimits;
import dev.duetime.testkit.simulation.run.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rule that all processes together have no more timers in calls of their publishers than the limits allow, and
 * begin no more in any time than the rates allow. A call that lasts longer than the share of its process, which could
 * not be renewed, is not counted: nobody can end it.
 */
final class WithinLimits implements Invariant {
    /** A clock of a test counts microseconds. */
    private static final double ROUNDING = 0.01;

    private final ClusterLimits limits;

    /** The timers that each open call holds, by process and call. */
    private final Map<String, Map<Integer, List<Envelope>>> open = new HashMap<>();

    /** When the share of each process ends. */
    private final Map<String, Instant> until = new HashMap<>();

    /** What has begun under each rate. */
    private final Map<String, Begun> begun = new HashMap<>();

    WithinLimits(ClusterLimits limits) {
        this.limits = limits;
    }

    @Override
    public void see(Event event, Model model) {
        if (event.fact() instanceof Event.PermitsWritten written) {
            until.put(event.process(), written.until());
        } else if (event.fact() instanceof Event.Life life
                && (life.what() == Event.Life.What.CRASHED || life.what() == Event.Life.What.CLOSED)) {
            open.remove(event.process());
        } else if (event.fact() instanceof Event.Answered answered) {
            calls(event).remove(answered.call());
        } else if (event.fact() instanceof Event.Called called) {
            calls(event).put(called.call(), called.batch());
            checkRunning(limits.concurrency(), each -> true, called, event);
            checkRunning(limits.typeConcurrency(), WithinLimits::isLimited, called, event);
            for (Envelope each : called.batch()) {
                begin("queue", limits.rate(), each, event);
                begin("tenant " + each.key().tenantId(), limits.tenantRate(), each, event);
                begin("type", isLimited(each) ? limits.typeRate() : null, each, event);
            }
        }
    }

    private static boolean isLimited(Envelope envelope) {
        return envelope.type().equals(ClusterLimits.LIMITED);
    }

    private void checkRunning(int most, Predicate<Envelope> which, Event.Called called, Event event) {
        long running = open.entrySet().stream()
                .filter(each -> each.getKey().equals(event.process()) || hasShare(each.getKey(), event.at()))
                .flatMap(each -> each.getValue().values().stream())
                .flatMap(List::stream)
                .filter(which)
                .count();
        if (most > 0 && running > most) {
            throw new Violation(
                    called.batch().get(0).key(),
                    "%d timers are in delivery but %d may be: event %d",
                    running,
                    most,
                    event.number());
        }
    }

    private boolean hasShare(String process, Instant now) {
        return until.getOrDefault(process, Instant.MIN).isAfter(now);
    }

    private void begin(String name, @Nullable RateLimit limit, Envelope envelope, Event event) {
        if (limit == null) {
            return;
        }
        double level = begun.computeIfAbsent(name, each -> new Begun(limit)).level(event.at());
        if (level > limit.burst() + ROUNDING) {
            throw new Violation(
                    envelope.key(),
                    "%.3f timers began beyond the rate, but %d may at once: event %d",
                    level,
                    limit.burst(),
                    event.number());
        }
    }

    private Map<Integer, List<Envelope>> calls(Event event) {
        return open.computeIfAbsent(event.process(), process -> new HashMap<>());
    }

    /** What has begun under a rate and has not been made up for by time. */
    private static final class Begun {
        private final double perNano;
        private double level;
        private @Nullable Instant last;

        Begun(RateLimit limit) {
            perNano = (double) limit.permits() / limit.period().toNanos();
        }

        /** Counts a timer that begins. */
        double level(Instant now) {
            double leaked = last == null ? 0 : Duration.between(last, now).toNanos() * perNano;
            level = Math.max(0, level - leaked) + 1;
            last = now;
            return level;
        }
    }
}
