package dev.duetime.testkit.simulation;

import dev.duetime.TimerKey;
import dev.duetime.testkit.simulation.Event.Fact;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Tells all that happened in one run of a {@link Simulation}, in order. Two runs of one seed have equal histories. Not
 * thread-safe while the run lasts.
 */
public final class History {
    private final long seed;
    private final List<Event> events = new ArrayList<>(4_096);

    History(long seed) {
        this.seed = seed;
    }

    int add(Instant at, String process, Fact fact) {
        events.add(new Event(events.size(), at, process, fact));
        return events.size() - 1;
    }

    List<Event> events() {
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
