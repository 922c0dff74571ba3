package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.store.DueTimers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The timers that one search for other tenants has found, each with the level that found it. Used by one thread. */
public final class FoundTimers {
    private final List<StoredTimer> timers = new ArrayList<>();
    private final Map<String, Integer> levels = new HashMap<>();

    void add(StoredTimer timer, int level) {
        timers.add(timer);
        levels.putIfAbsent(TenantSearch.id(timer), level);
    }

    /** Returns all that was found. A timer that both parts of the search have found is there twice. */
    public List<StoredTimer> timers() {
        return timers;
    }

    public boolean contains(StoredTimer timer) {
        return levels.containsKey(TenantSearch.id(timer));
    }

    /** Returns the level that has found the timer; -1 if none has. */
    public int level(StoredTimer timer) {
        return levels.getOrDefault(TenantSearch.id(timer), -1);
    }

    /**
     * Returns the timers that may be delivered with those of a read. A timer of a parallel key may have an earlier one
     * in the part that was not searched.
     */
    public List<StoredTimer> besides(DueTimers read) {
        Set<String> known = new HashSet<>();
        read.timers().forEach(each -> known.add(TenantSearch.id(each)));
        return timers.stream()
                .filter(each -> each.content().parallelKey() == null && known.add(TenantSearch.id(each)))
                .toList();
    }
}
