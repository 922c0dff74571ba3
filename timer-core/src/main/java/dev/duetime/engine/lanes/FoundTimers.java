package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.store.DueTimers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The timers that one search for other tenants has found, each with the level that found it. Used by one thread. */
public final class FoundTimers {
    private static final int NONE = -1;

    private final List<StoredTimer> timers = new ArrayList<>();
    private final Map<String, Integer> levels = new HashMap<>();

    /** Adds a timer. Returns whether no level had found it before. */
    boolean add(StoredTimer timer, int level) {
        timers.add(timer);
        return levels.putIfAbsent(TenantSearch.id(timer), level) == null;
    }

    /** Makes no search go back for a timer that is not delivered now. */
    void passOver(StoredTimer timer) {
        levels.put(TenantSearch.id(timer), NONE);
    }

    /** Returns all that was found. A timer that both parts of the search have found is there twice. */
    public List<StoredTimer> timers() {
        return timers;
    }

    public boolean contains(StoredTimer timer) {
        return levels.containsKey(TenantSearch.id(timer));
    }

    /** Returns the level that is to find the timer again; -1 if none is. */
    public int level(StoredTimer timer) {
        return levels.getOrDefault(TenantSearch.id(timer), NONE);
    }

    /**
     * Returns the timers that may be delivered with those of a read. A timer of a parallel key may have an earlier one
     * in the part that was not searched. A timer that was rescheduled between two reads is delivered once, as the first
     * of them has returned it.
     *
     * @param keyed the first timers of some parallel keys: these may be delivered, too
     */
    public List<StoredTimer> besides(DueTimers read, List<StoredTimer> keyed) {
        Set<TimerKey> known = new HashSet<>();
        read.timers().forEach(each -> known.add(each.key()));
        return Stream.concat(timers.stream().filter(each -> each.content().parallelKey() == null), keyed.stream())
                .filter(each -> known.add(each.key()))
                .toList();
    }

    /** Returns the timers that were rescheduled after this turn had read them. The next turn delivers them. */
    public List<StoredTimer> rescheduled(DueTimers read) {
        Map<TimerKey, Long> first = new HashMap<>();
        read.timers().forEach(each -> first.put(each.key(), each.generation()));
        return timers.stream()
                .filter(each -> {
                    Long generation = first.putIfAbsent(each.key(), each.generation());
                    return generation != null && generation != each.generation();
                })
                .toList();
    }
}
