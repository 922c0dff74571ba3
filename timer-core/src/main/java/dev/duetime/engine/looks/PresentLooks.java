package dev.duetime.engine.looks;

import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.TenantSearch;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The looks at what has become due since the last one. Their cost does not grow with the backlogs that lie before, so
 * they find todos of tenants without a backlog soon after these become due. A look sees nothing that came before it. So
 * todos with a parallel key are taken only of covered tenants and keys: those of whom all that is due was read before.
 * For other keys there is a look of their own. Used by the loop's thread.
 */
public final class PresentLooks {
    /** Most todos that commit late are due no earlier than this before a look. */
    private static final Duration OVERLAP = Duration.ofMillis(100);

    /** A look that is so far behind is followed by one at the present. */
    private static final Duration BEHIND = Duration.ofSeconds(1);

    /** How far a look goes back, at least and at most. */
    private static final Duration LEAST_BACK = Duration.ofSeconds(5);

    private static final Duration MOST_BACK = Duration.ofSeconds(30);

    /** Bounds memory. */
    private static final int MOST_UNCOVERED = 10_000;

    /** How many times as many todos as usual a look finds that catches up. */
    private static final int CATCH_UP = 4;

    private final Duration back;

    /** Where the next look begins; {@link Instant#MIN} before the first read. */
    private Instant from = Instant.MIN;

    private final PassedGap gap = new PassedGap();

    /** Whether the last look was full, so that the next one catches up. */
    private boolean catchesUp;

    private final KeyLooks keys = new KeyLooks();

    /** Whether tenants are covered, but for some. */
    private boolean areCovered;

    private final Set<String> uncovered = new HashSet<>();

    /** The parallel keys that looks have left out since tenants are covered, and those of todos that must wait. */
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
        Duration wanted = Times.shorter(pollInterval.multipliedBy(2), MOST_BACK);
        back = wanted.compareTo(LEAST_BACK) < 0 ? LEAST_BACK : wanted;
    }

    /** Returns whether there is a time from which on to look. */
    public boolean areBegun() {
        return !from.equals(Instant.MIN);
    }

    /** Returns how many todos the next look is to find, at most, where usual reads find the given number. */
    public int limit(int batchSize) {
        return catchesUp ? CATCH_UP * batchSize : batchSize;
    }

    /**
     * Makes a look find the todos of this one's parallel key, before the queue takes it. Returns whether it will: not
     * while very many keys wait.
     */
    public boolean want(StoredTimer todo) {
        uncoveredKeys.add(Objects.requireNonNull(todo.content().parallelKey()));
        forgetTooMany();
        return keys.want(todo);
    }

    /** Returns the looks for single parallel keys. */
    public KeyLooks keys() {
        return keys;
    }

    /** Returns where the next look begins. */
    public Instant from() {
        return from;
    }

    /** Returns the range that the looks have passed. */
    public PassedGap gap() {
        return gap;
    }

    /** Notes a read of all due todos up to a time, which left none in the database but those of some parallel keys. */
    public void hasReadAll(Exclusion but, Instant to) {
        begin(to);
        gap.clear();
        catchesUp = false;
        keys.stop();
        keys.forget();
        cover(but);
    }

    /** Notes a read of all due todos up to a time, which left some in the database. */
    public void leavesMore(Instant to) {
        if (!areBegun()) {
            begin(to);
            addLately();
        }
    }

    private void begin(Instant to) {
        from = to.minus(OVERLAP);
        readTo = to;
    }

    /** Notes that the queue has got shards. Most todos in them that are in no backlog were due not long ago. */
    public void shardsCame() {
        forget();
        if (areBegun()) {
            addLately();
        }
    }

    private void addLately() {
        gap.addUnread(readTo.minus(MOST_BACK), from);
    }

    /** Notes a look behind the whole backlog, which left nothing in the database but what it left out. */
    public void hasReadAllBut(Exclusion but, Instant to) {
        if (!areBegun()) {
            begin(to);
        }
        gap.wasRead();
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
        keys.uncoverKeys(but.parallelKeys());
        if (!but.types().isEmpty()) {
            forget();
        }
        if (!but.tenants().isEmpty()) {
            leftUpTo = Math.max(leftUpTo, but.upTo());
        }
        uncover(but.tenants());
    }

    /** Notes tenants of whom something that is due is not in memory. */
    public void uncover(Collection<String> tenants) {
        keys.uncover(tenants);
        uncovered.addAll(tenants);
        forgetTooMany();
    }

    private void forgetTooMany() {
        if (uncovered.size() + uncoveredKeys.size() > MOST_UNCOVERED) {
            forgetTenants();
        }
    }

    /** Notes todos that are not in memory, although they were read. */
    public void left(List<StoredTimer> todos) {
        uncover(todos.stream().map(each -> each.key().tenantId()).collect(Collectors.toSet()));
    }

    /** Forgets which tenants are covered, because others may have left todos, or a turn broke off. */
    public void forget() {
        keys.forget();
        forgetTenants();
    }

    private void forgetTenants() {
        areCovered = false;
        uncovered.clear();
        uncoveredKeys.clear();
    }

    /** Returns whether all that was due of its tenant and its parallel key before the last look was read. */
    public boolean covers(StoredTimer todo) {
        return keys.covers(todo) || (!gap.isUnread() && coversInGap(todo));
    }

    /** Returns whether all that was due of its tenant and its parallel key before the last look at the gap was read. */
    public boolean coversInGap(StoredTimer todo) {
        return keys.covers(todo)
                || (areCovered
                        && !uncovered.contains(todo.key().tenantId())
                        && !uncoveredKeys.contains(todo.content().parallelKey()));
    }

    /**
     * Returns whether nothing waits behind the backlog, but of keys that looks leave out, and of the given tenants.
     *
     * @param upTo the highest priority of these tenants' todos that may wait there
     */
    public boolean coversAllBut(Set<String> tenants, int upTo) {
        return areCovered && !gap.isUnread() && leftUpTo <= upTo && tenants.containsAll(uncovered);
    }

    /** Makes looks find a todo again that was read, unless it was due long ago. Returns whether they do. */
    public boolean findAgain(Instant dueAt) {
        boolean reaches = reaches(dueAt);
        if (reaches && dueAt.isBefore(from)) {
            gap.addLeft(dueAt);
        }
        return reaches;
    }

    private boolean reaches(Instant dueAt) {
        return areBegun() && !dueAt.isBefore(readTo.minus(back));
    }

    /** Notes that a todo of any tenant is due at that time which may be new. */
    public void announced(Instant dueAt) {
        if (reaches(dueAt)) {
            from = Times.earlier(from, dueAt);
        } else {
            forget();
        }
    }

    /**
     * Returns the todos of a full look that the queue takes in: no more of each tenant than its share of a batch. The
     * others are found by other reads.
     */
    public List<StoredTimer> shares(List<StoredTimer> todos, int batchSize) {
        List<StoredTimer> shares = gap.shares(todos, batchSize, readTo);
        if (shares.size() < todos.size()) {
            uncover(todos.stream()
                    .map(each -> each.key().tenantId())
                    .filter(this::hasBacklog)
                    .collect(Collectors.toSet()));
        }
        return shares;
    }

    /**
     * Notes a look.
     *
     * @param to up to when it was
     * @return whether more has become due than it has found, so that another one should follow soon
     */
    public boolean hasRead(DueTimers read, Instant to) {
        readTo = to;
        catchesUp = read.more();
        Instant end = read.timers().isEmpty() ? from : TenantSearch.end(read, to);
        if (!read.more() || read.timers().isEmpty() || end.isBefore(to.minus(BEHIND))) {
            from = to.minus(OVERLAP);
        } else {
            from = end;
        }
        if (read.more() && from.isAfter(end)) {
            gap.addUnread(end, to);
            keys.forget();
        }
        return read.more();
    }

    /**
     * Notes a look at the gap.
     *
     * @return whether another one should follow soon
     */
    public boolean hasReadGap(DueTimers read) {
        if (gap.hasRead(read, readTo)) {
            forgetTenants();
        }
        return !gap.isEmpty();
    }

    /** Notes that a look at the gap has failed. After the second time it is given up. */
    public void gapFailed() {
        if (gap.hasFailedAgain()) {
            gap.clear();
            forget();
        }
    }

    /** Returns whether a tenant has had a backlog lately. What is left of it is found by other reads. */
    public boolean hasBacklog(String tenant) {
        return gap.hasBacklog(tenant, readTo);
    }

    /** Goes on from a time, although an earlier part was not looked at. */
    public void skipTo(Instant time) {
        from = time;
        readTo = time;
        gap.clear();
        forget();
    }
}
