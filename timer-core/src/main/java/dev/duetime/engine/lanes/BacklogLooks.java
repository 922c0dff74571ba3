package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.DueTimers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The tenants that the last reads have found. If there may be more behind their todos, the next read behind the backlog
 * leaves them out, so that no tenant hides another one. Used by the loop's thread.
 */
public final class BacklogLooks {
    /** A tenant with more than this part of a read, by todos or by bytes, hides others. */
    private static final int LARGE_PART = 8;

    /** Bounds the statement. With so many, the reads begin with the first tenants again. */
    private static final int MOST_FOUND = 1_000;

    /** The tenants that the last reads behind the backlog have found. */
    private final Set<String> found = new HashSet<>();

    /** The tenants with large parts of the last read of all due todos, if it has left some. */
    private Set<String> atFront = Set.of();

    private int highestPriority = Integer.MAX_VALUE;

    /** Urgent todos up to this priority were found in vain. */
    private int inVain = Integer.MIN_VALUE;

    /** Returns the tenants that the next read leaves out, besides those that are known to be busy. */
    public Set<String> leftOut() {
        Set<String> tenants = new HashSet<>(found);
        tenants.addAll(atFront);
        return tenants;
    }

    /** Returns the tenants with large parts of the last read of all due todos. */
    public Set<String> atFront() {
        return atFront;
    }

    /** Returns the highest priority in the last read of all due todos; the highest there is if it has left none. */
    public int highestPriority() {
        return highestPriority;
    }

    /** Notes a read of all due todos. */
    public void hasReadAll(DueTimers read) {
        atFront = read.more() ? large(read.timers()) : Set.of();
        highestPriority = !read.more()
                ? Integer.MAX_VALUE
                : read.timers().stream()
                        .mapToInt(each -> each.content().priority())
                        .max()
                        .orElse(Integer.MAX_VALUE);
    }

    /** Notes a read behind the backlog. */
    public void hasRead(DueTimers read) {
        if (!read.more() || found.size() >= MOST_FOUND) {
            found.clear();
            inVain = Integer.MIN_VALUE;
            return;
        }
        Set<String> large = large(read.timers());
        Set<String> more = large.isEmpty() ? parts(read.timers(), todo -> 1).keySet() : large;
        more.stream().limit(MOST_FOUND - found.size()).forEach(found::add);
    }

    /** Notes urgent todos of tenants that are left out, which must wait for their place. They hide others. */
    public void foundInVain(List<StoredTimer> urgent) {
        urgent.forEach(each -> inVain = Math.max(inVain, each.content().priority()));
    }

    /** Returns up to which priority todos of these tenants are left out at least. */
    public int inVain() {
        return inVain;
    }

    private static Set<String> large(List<StoredTimer> todos) {
        Set<String> large = largeIn(parts(todos, todo -> 1));
        large.addAll(largeIn(parts(todos, StoredTimers::bytes)));
        return large;
    }

    private static Set<String> largeIn(Map<String, Long> parts) {
        long all = parts.values().stream().mapToLong(Long::longValue).sum();
        Set<String> large = new HashSet<>(parts.keySet());
        large.removeIf(each -> parts.getOrDefault(each, 0L) * LARGE_PART <= all);
        return large;
    }

    private static Map<String, Long> parts(List<StoredTimer> todos, ToLongFunction<StoredTimer> size) {
        Map<String, Long> parts = new HashMap<>();
        todos.forEach(each -> parts.merge(each.key().tenantId(), size.applyAsLong(each), Long::sum));
        return parts;
    }
}
