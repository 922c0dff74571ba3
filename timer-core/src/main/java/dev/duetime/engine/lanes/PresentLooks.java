package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The looks at what has become due since the last one. Their cost does not grow with the backlogs that lie before, so
 * they find todos of tenants without a backlog soon after these become due. A look sees nothing that came before it. So
 * todos with a parallel key are taken only of covered tenants: those of whom all that is due was read before. Used by
 * the loop's thread.
 */
public final class PresentLooks {
    /** Most todos that commit late are due no earlier than this before a look. */
    private static final Duration OVERLAP = Duration.ofMillis(100);

    /** A look that is so far behind leaves out the tenants that fill it. */
    private static final Duration BEHIND = Duration.ofSeconds(1);

    /** How far a look goes back, at least and at most. */
    private static final Duration LEAST_BACK = Duration.ofSeconds(5);

    private static final Duration MOST_BACK = Duration.ofSeconds(30);

    /** Bounds the statement, and memory. */
    private static final int MOST_LEFT_OUT = 1_000;

    private static final int MOST_UNCOVERED = 10_000;

    private final Duration back;

    /** Where the next look begins; {@link Instant#MIN} before the first read. */
    private Instant from = Instant.MIN;

    /** The tenants that the next look leaves out, because they have filled the last ones. */
    private final Set<String> leftOut = new HashSet<>();

    /** Whether tenants are covered, but for some. */
    private boolean areCovered;

    private final Set<String> uncovered = new HashSet<>();

    /** The parallel keys that a look has left out since tenants are covered. */
    private final Set<String> uncoveredKeys = new HashSet<>();

    /** Up to which priority todos were left out since tenants are covered. */
    private int leftUpTo = Integer.MIN_VALUE;

    /** Up to when the last read was. */
    private Instant readTo = Instant.MIN;

    /**
     * Creates it before the first read. A look goes back as far as hints of uncommitted todos reach. What is due before
     * that is found by looks behind the whole backlog.
     *
     * @param pollInterval the longest wait between two hints
     */
    public PresentLooks(Duration pollInterval) {
        Duration wanted = pollInterval.multipliedBy(2);
        back = wanted.compareTo(LEAST_BACK) < 0 ? LEAST_BACK : wanted.compareTo(MOST_BACK) > 0 ? MOST_BACK : wanted;
    }

    /** Returns whether there is a time from which on to look. */
    public boolean areBegun() {
        return !from.equals(Instant.MIN);
    }

    /** Returns where the next look begins. */
    public Instant from() {
        return from;
    }

    /** Returns the tenants that the next look leaves out. */
    public Set<String> leftOut() {
        return leftOut;
    }

    /** Notes a read of all due todos up to a time, which left none in the database but those of some parallel keys. */
    public void hasReadAll(Exclusion but, Instant to) {
        from = to.minus(OVERLAP);
        readTo = to;
        leftOut.clear();
        cover(but);
    }

    /** Notes a read of all due todos up to a time, which left some in the database. */
    public void leavesMore(Instant to) {
        if (!areBegun()) {
            from = to.minus(OVERLAP);
            readTo = to;
        }
    }

    /** Notes a look behind the whole backlog, which left nothing in the database but what it left out. */
    public void hasReadAllBut(Exclusion but, Instant to) {
        leavesMore(to);
        cover(but);
    }

    private void cover(Exclusion but) {
        uncovered.clear();
        uncoveredKeys.clear();
        leftUpTo = Integer.MIN_VALUE;
        areCovered = true;
        leavesOut(but);
    }

    /** Notes what a look leaves out. */
    public void leavesOut(Exclusion but) {
        uncoveredKeys.addAll(but.parallelKeys());
        if (!but.tenants().isEmpty()) {
            leftUpTo = Math.max(leftUpTo, but.upTo());
        }
        uncover(but.tenants());
    }

    /** Notes tenants of whom something that is due is not in memory. */
    public void uncover(Collection<String> tenants) {
        uncovered.addAll(tenants);
        if (uncovered.size() + uncoveredKeys.size() > MOST_UNCOVERED) {
            forget();
        }
    }

    /** Notes todos that are not in memory, although they were read. */
    public void left(List<StoredTimer> todos) {
        todos.forEach(each -> uncovered.add(each.key().tenantId()));
        uncover(Set.of());
    }

    /** Forgets which tenants are covered, because others may have left todos, or a turn broke off. */
    public void forget() {
        areCovered = false;
        uncovered.clear();
        uncoveredKeys.clear();
    }

    /** Returns whether all that was due of its tenant and its parallel key before the last look was read. */
    public boolean covers(StoredTimer todo) {
        return areCovered
                && !uncovered.contains(todo.key().tenantId())
                && !uncoveredKeys.contains(todo.content().parallelKey());
    }

    /**
     * Returns whether nothing waits behind the backlog, but of keys that looks leave out, and of the given tenants.
     *
     * @param upTo the highest priority of these tenants' todos that may wait there
     */
    public boolean coversAllBut(Set<String> tenants, int upTo) {
        return areCovered && leftUpTo <= upTo && tenants.containsAll(uncovered);
    }

    /** Makes the next look include what is due at that time, unless that is long ago. Returns whether it does. */
    public boolean goBackTo(Instant dueAt) {
        boolean reaches = reaches(dueAt);
        if (reaches) {
            from = Times.earlier(from, dueAt);
        }
        return reaches;
    }

    private boolean reaches(Instant dueAt) {
        return areBegun() && !dueAt.isBefore(readTo.minus(back));
    }

    /** Notes that a todo of any tenant is due at that time which may be new. */
    public void announced(Instant dueAt) {
        if (!goBackTo(dueAt)) {
            forget();
        }
    }

    /**
     * Notes a look.
     *
     * @param to up to when it was
     * @param limit how many todos it was to find
     */
    public void hasRead(DueTimers read, Instant to, int limit) {
        readTo = to;
        if (!read.more()) {
            from = to.minus(OVERLAP);
            leftOut.clear();
            return;
        }
        Instant end = TenantSearch.end(read, to);
        if (read.timers().isEmpty()) {
            skipTo(end);
            return;
        }
        if (end.isBefore(to.minus(BEHIND))) {
            Set<String> filling = TenantSearch.filling(read, limit);
            if (leftOut.size() + filling.size() > MOST_LEFT_OUT) {
                leftOut.clear();
                skipTo(to);
                return;
            }
            leftOut.addAll(filling);
        }
        from = end;
    }

    /** Goes on from a time, although an earlier part was not looked at. */
    public void skipTo(Instant time) {
        from = time;
        readTo = time;
        forget();
    }
}
