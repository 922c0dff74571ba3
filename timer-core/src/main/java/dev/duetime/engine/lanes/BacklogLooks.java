package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.store.DueTimers;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tenants that the last reads behind the backlog have found. If there may be more behind their todos, the next of
 * these reads leaves them out, so that no tenant hides another one. Used by the loop's thread.
 */
public final class BacklogLooks {
    /** A tenant with more than this part of a read hides others. */
    private static final int LARGE_PART = 8;

    /** Bounds the statement. With so many, the reads begin with the first tenants again. */
    private static final int MOST_FOUND = 100;

    private final Set<String> found = new HashSet<>();

    /** Returns the tenants that the next read leaves out, besides those that are known to be busy. */
    public Set<String> leftOut() {
        return found;
    }

    /** Notes a read behind the backlog. */
    public void hasRead(DueTimers read) {
        if (!read.more() || found.size() >= MOST_FOUND) {
            found.clear();
            return;
        }
        List<StoredTimer> todos = read.timers();
        Map<String, Long> counts = todos.stream()
                .map(StoredTimer::key)
                .collect(Collectors.groupingBy(TimerKey::tenantId, Collectors.counting()));
        Set<String> large = counts.entrySet().stream()
                .filter(each -> each.getValue() * LARGE_PART > todos.size())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        Set<String> more = large.isEmpty() ? counts.keySet() : large;
        more.stream().limit(MOST_FOUND - found.size()).forEach(found::add);
    }
}
