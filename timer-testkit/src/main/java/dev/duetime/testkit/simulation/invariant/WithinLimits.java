package dev.duetime.testkit.simulation.invariant;

import dev.duetime.RateLimit;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rule that all processes together have no more timers in calls of their publishers than the limit allows, and
 * begin no more in any time than the rate allows. A call that lasts longer than the share of its process, which could
 * not be renewed, is not counted: nobody can end it.
 */
final class WithinLimits implements Invariant {
    /** A clock of a test counts microseconds. */
    private static final double ROUNDING = 0.01;

    private final int most;
    private final @Nullable RateLimit rate;

    /** How many timers each open call holds, by process and call. */
    private final Map<String, Map<Integer, Integer>> open = new HashMap<>();

    /** When the share of each process ends. */
    private final Map<String, Instant> until = new HashMap<>();

    private double level;
    private @Nullable Instant last;

    WithinLimits(Scenario scenario) {
        most = scenario.concurrencyLimit() == 0 ? Integer.MAX_VALUE : scenario.concurrencyLimit();
        rate = scenario.rateLimit();
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
            calls(event).put(called.call(), called.batch().size());
            int running = open.entrySet().stream()
                    .filter(each -> each.getKey().equals(event.process()) || hasShare(each.getKey(), event.at()))
                    .flatMap(each -> each.getValue().values().stream())
                    .mapToInt(each -> each)
                    .sum();
            if (running > most) {
                throw new Violation(
                        called.batch().get(0).key(),
                        "%d timers are in delivery but %d may be: event %d",
                        running,
                        most,
                        event.number());
            }
            if (rate != null) {
                begin(called, event, rate);
            }
        }
    }

    private boolean hasShare(String process, Instant now) {
        return until.getOrDefault(process, Instant.MIN).isAfter(now);
    }

    private void begin(Event.Called called, Event event, RateLimit limit) {
        double perNano = (double) limit.permits() / limit.period().toNanos();
        double leaked = last == null ? 0 : Duration.between(last, event.at()).toNanos() * perNano;
        level = Math.max(0, level - leaked) + called.batch().size();
        last = event.at();
        if (level > limit.burst() + ROUNDING) {
            throw new Violation(
                    called.batch().get(0).key(),
                    "%.3f timers began beyond the rate, but %d may at once: event %d",
                    level,
                    limit.burst(),
                    event.number());
        }
    }

    private Map<Integer, Integer> calls(Event event) {
        return open.computeIfAbsent(event.process(), process -> new HashMap<>());
    }
}
