package dev.duetime.engine.looks;

import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.TenantSearch;
import dev.duetime.internal.Times;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A range of due times that the looks at the present have passed, because much became due there at once, or in which
 * todos were dropped from memory. It is looked at in parts, besides the present, so that no range is too long for that.
 * Used by the loop's thread.
 */
public final class PassedGap {
    /** A tenant with more than this part of a full look has a backlog: the next looks leave it out. */
    private static final int LARGE_PART = 8;

    /** How many todos of a tenant a look takes in, at least. */
    private static final int LEAST_SHARE = 16;

    /** Bounds the statement. */
    private static final int MOST_LEFT_OUT = 1_000;

    /** How long a tenant counts as one with a backlog. */
    private static final Duration BACKLOG = Duration.ofSeconds(10);

    private Instant from = Instant.MAX;
    private Instant to = Instant.MIN;

    /** Whether the range may hold todos of any tenant that were not read. */
    private boolean isUnread;

    /** Whether the last look has failed. */
    private boolean hasFailed;

    /** The tenants with a backlog in the range. */
    private final Set<String> leftOut = new HashSet<>();

    /** Up to when tenants count as ones with a backlog. */
    private final Map<String, Instant> backlogUntil = new HashMap<>();

    /** Returns whether there is nothing to look at. */
    public boolean isEmpty() {
        return !from.isBefore(to);
    }

    /** Returns whether the range may hold todos of any tenant that were not read. */
    boolean isUnread() {
        return isUnread;
    }

    /** Returns where the next look begins. */
    public Instant from() {
        return from;
    }

    /** Returns where the next look ends. */
    public Instant to() {
        return to;
    }

    /** Returns the tenants that the next look leaves out. */
    public Set<String> leftOut() {
        return leftOut;
    }

    /** Adds a range that was not read. */
    void addUnread(Instant begin, Instant end) {
        add(begin, end);
        isUnread = true;
    }

    /** Adds a todo that was read and is no longer in memory. */
    void addLeft(Instant dueAt) {
        add(dueAt, dueAt.plus(1, ChronoUnit.MICROS));
    }

    private void add(Instant begin, Instant end) {
        from = Times.earlier(from, begin);
        to = Times.later(to, end);
    }

    /** Notes that the range holds no todos that were not read, except some that are known. */
    void wasRead() {
        isUnread = false;
    }

    /** Forgets the range. */
    void clear() {
        from = Instant.MAX;
        to = Instant.MIN;
        isUnread = false;
        hasFailed = false;
        leftOut.clear();
    }

    /** Notes a look at the range. Returns whether the range is given up, although a part of it was not read. */
    boolean hasRead(DueTimers read, Instant now) {
        hasFailed = false;
        if (!read.more() || read.timers().isEmpty() || leftOut.size() >= MOST_LEFT_OUT) {
            boolean isGivenUp = isUnread && read.more();
            clear();
            return isGivenUp;
        }
        from = TenantSearch.end(read, to);
        Map<String, Integer> counts = counts(read.timers());
        counts.forEach((tenant, count) -> {
            if (count * LARGE_PART > read.timers().size()) {
                leftOut.add(tenant);
                backlogUntil.put(tenant, now.plus(BACKLOG));
            }
        });
        return false;
    }

    /** Notes that a look has failed. Returns whether the one before has failed, too. */
    boolean hasFailedAgain() {
        boolean again = hasFailed;
        hasFailed = true;
        return again;
    }

    /** Returns whether a tenant has had a backlog lately. What is left of it is found by other reads. */
    boolean hasBacklog(String tenant, Instant now) {
        return backlogUntil.getOrDefault(tenant, Instant.MIN).isAfter(now);
    }

    /** Returns the todos of a full look that the queue takes in: no more of each tenant than its share of a batch. */
    List<StoredTimer> shares(List<StoredTimer> todos, int batchSize, Instant now) {
        backlogUntil.values().removeIf(each -> !each.isAfter(now));
        Map<String, Integer> counts = counts(todos);
        int share = Math.max(LEAST_SHARE, batchSize / Math.max(1, counts.size()));
        Map<String, Integer> taken = new HashMap<>();
        List<StoredTimer> shares = new ArrayList<>();
        for (StoredTimer each : todos) {
            String tenant = each.key().tenantId();
            if (taken.merge(tenant, 1, Integer::sum) <= share) {
                shares.add(each);
            } else {
                backlogUntil.put(tenant, now.plus(BACKLOG));
            }
        }
        return shares;
    }

    private static Map<String, Integer> counts(List<StoredTimer> todos) {
        Map<String, Integer> counts = new HashMap<>();
        todos.forEach(each -> counts.merge(each.key().tenantId(), 1, Integer::sum));
        return counts;
    }
}
