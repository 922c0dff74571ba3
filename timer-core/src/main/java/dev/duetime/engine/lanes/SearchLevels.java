package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.engine.window.ReadWindow;
import dev.duetime.internal.Times;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The levels of one part of the search for other tenants. Each level also leaves out the tenants that fill those
 * before, and so comes to the timers behind theirs. Each level continues where it ended. Used by one thread.
 */
public final class SearchLevels {
    /** How many reads follow each other, each one without the tenants that fill those before. */
    private static final int LEVELS = 8;

    /** Bounds the statement. Timers of further tenants that fill reads are returned again. */
    public static final int MOST_LEFT_OUT = 100;

    /** A read full of rows that cannot be read is repeated by the next search with four times the size. */
    private static final int GROWTH = 2;

    /** From where each level continues. The first one has not searched what follows. */
    private final Instant[] from = new Instant[LEVELS];

    /**
     * How many times the reads of each level are doubled, because the last one was full of rows that cannot be read.
     * Their tenants may have timers behind them.
     */
    private final int[] doublings = new int[LEVELS];

    private final boolean passesBacklogs;

    /**
     * Creates levels that have nothing to search.
     *
     * @param passesBacklogs whether timers of tenants that fill a read need not be found again: they have backlogs, and
     *     the search must come past these
     */
    public SearchLevels(boolean passesBacklogs) {
        this.passesBacklogs = passesBacklogs;
        startAt(Instant.MAX);
    }

    /** Makes all levels continue from that time. */
    public void startAt(Instant time) {
        Arrays.fill(from, time);
    }

    /** Returns from where the first level continues: no level has searched what follows. */
    public Instant first() {
        return from[0];
    }

    /** Notes that nothing is left before that time. */
    public void passed(Instant time) {
        passed(0, time);
    }

    private void passed(int level, Instant time) {
        for (int i = level; i < LEVELS; i++) {
            from[i] = Times.later(from[i], time);
        }
    }

    /** Makes all levels include a timer that wakes at that time. */
    public void goBackTo(Instant wakeAt) {
        goBackTo(wakeAt, LEVELS - 1);
    }

    /**
     * Makes levels include a timer that wakes at that time.
     *
     * @param last the last of these levels: the later ones leave out its tenant
     */
    public void goBackTo(Instant wakeAt, int last) {
        for (int i = 0; i <= last; i++) {
            from[i] = Times.earlier(from[i], wakeAt);
        }
    }

    /**
     * Reads level by level. If a level returns all timers that are left, the next ones have nothing to read. If a read
     * fails, its level continues where it was.
     *
     * @param end returns up to when a level reads, given where it begins
     * @param found receives what the levels find
     * @throws dev.duetime.StoreException if the store failed
     */
    public void read(TenantSearch search, UnaryOperator<Instant> end, Set<String> filling, FoundTimers found) {
        Set<String> leftOut = new HashSet<>(filling);
        for (int level = 0;
                level < LEVELS && leftOut.size() <= MOST_LEFT_OUT && search.mayHold(found.timers());
                level++) {
            from[level] = level == 0 ? from[level] : Times.later(from[level], from[0]);
            Instant to = end.apply(from[level]);
            if (!from[level].isBefore(to)) {
                return;
            }
            int limit = level == 0 ? search.limit() : ReadWindow.roundedUp(Math.max(1, search.limit() / (level + 1)));
            int rows = Math.min(TenantSearch.MOST_ROWS, limit << doublings[level]);
            DueTimers read = search.read(from[level], to, leftOut, Math.max(limit, rows));
            List<StoredTimer> added = new ArrayList<>();
            for (StoredTimer each : search.withoutCalls(read.timers())) {
                if (found.add(each, level)) {
                    added.add(each);
                }
            }
            boolean repeats = TenantSearch.isUnreadable(read) && rows < TenantSearch.MOST_ROWS;
            doublings[level] = repeats ? doublings[level] + GROWTH : 0;
            from[level] = repeats ? from[level] : TenantSearch.end(read, to);
            if (!read.more()) {
                passed(level + 1, to);
                return;
            }
            leftOut.addAll(TenantSearch.filling(read, limit));
            if (passesBacklogs) {
                Set<String> full = TenantSearch.withShare(read, limit);
                added.stream()
                        .filter(each -> full.contains(each.key().tenantId()))
                        .forEach(found::passOver);
            }
        }
    }
}
