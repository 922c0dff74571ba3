package dev.duetime.testkit.simulation.run;

import dev.duetime.Beta;
import dev.duetime.TimerKey;
import dev.duetime.testkit.simulation.Simulation;
import dev.duetime.testkit.simulation.run.Event.Fact;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The events of one run of a {@link Simulation}, in order. Two runs of one seed have equal histories. Not thread-safe
 * while the run lasts.
 */
@Beta
public final class History {
    /** The system property that names the seed to replay. */
    public static final String SEED_PROPERTY = "duetime.simulation.seed";

    private final long seed;
    private final List<Event> events = new ArrayList<>(4_096);

    public History(long seed) {
        this.seed = seed;
    }

    public int add(Instant at, String process, Fact fact) {
        events.add(new Event(events.size(), at, process, fact));
        return events.size() - 1;
    }

    public List<Event> events() {
        return Collections.unmodifiableList(events);
    }

    /** Returns the seed that repeats it. */
    public long seed() {
        return seed;
    }

    /** Returns how many events it has. */
    public int size() {
        return events.size();
    }

    /** Returns how many envelopes were accepted by the publisher, repeats included. */
    public long deliveries() {
        return events.stream()
                .filter(each -> each.fact() instanceof Event.Accepted)
                .count();
    }

    /** Returns all events, a line each. */
    public List<String> lines() {
        return events.stream().map(Event::toString).toList();
    }

    /** Returns the events that concern a timer, a line each. */
    public List<String> lines(TimerKey key) {
        return events.stream()
                .filter(each -> each.concerns(key))
                .map(Event::toString)
                .toList();
    }
}
