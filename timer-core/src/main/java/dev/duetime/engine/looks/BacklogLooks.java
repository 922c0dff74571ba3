package dev.duetime.engine.looks;

import dev.duetime.StoredTimer;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.DueTimers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
        highestPriority = read.more() ? highest(read.timers()) : Integer.MAX_VALUE;
    }

    /** Notes a read behind the backlog. */
    public void hasRead(DueTimers read) {
        if (!read.more() || found.size() >= MOST_FOUND) {
            found.clear();
            inVain = Integer.MIN_VALUE;
            return;
        }
        Set<String> large = large(read.timers());
        Set<String> more = large.isEmpty() ? parts(read.timers()).keySet() : large;
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

    private static int highest(List<StoredTimer> todos) {
        int highest = Integer.MIN_VALUE;
        for (StoredTimer each : todos) {
            highest = Math.max(highest, each.content().priority());
        }
        return todos.isEmpty() ? Integer.MAX_VALUE : highest;
    }

    private static Set<String> large(List<StoredTimer> todos) {
        Map<String, Part> parts = parts(todos);
        long count = parts.values().stream().mapToLong(each -> each.count).sum();
        long bytes = parts.values().stream().mapToLong(each -> each.bytes).sum();
        Set<String> large = new HashSet<>();
        parts.forEach((tenant, part) -> {
            if (part.count * LARGE_PART > count || part.bytes * LARGE_PART > bytes) {
                large.add(tenant);
            }
        });
        return large;
    }

    /** Returns the part of each tenant. Each read of the loop is counted, and most have one tenant or few. */
    private static Map<String, Part> parts(List<StoredTimer> todos) {
        Map<String, Part> parts = new HashMap<>();
        String tenant = null;
        Part part = new Part();
        for (StoredTimer each : todos) {
            if (!each.key().tenantId().equals(tenant)) {
                tenant = each.key().tenantId();
                part = parts.computeIfAbsent(tenant, key -> new Part());
            }
            part.count++;
            part.bytes += StoredTimers.bytes(each);
        }
        return parts;
    }

    private static final class Part {
        long count;
        long bytes;
    }
}
