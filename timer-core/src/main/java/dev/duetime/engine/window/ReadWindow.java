package dev.duetime.engine.window;

import dev.duetime.StoredTimer;
import dev.duetime.internal.Times;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The window of the next read: where it begins, and how many rows and bytes it may take. A read begins where the one
 * before ended. All rows before that are settled, but a database still scans their remains in the index until it has
 * cleaned it. A timer that commits late may lie before the window: another search looks for it, or everything
 * is read once a second. Used by one thread.
 */
public final class ReadWindow {
    private static final long ALL_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

    /** A read of all that is due begins so much before the one before ended. Most timers that commit late lie there. */
    private static final Duration OVERLAP = Duration.ofMillis(100);

    /** Turns that take longer than this do not grow: a timer that is done waits for the others of its turn. */
    private static final long QUICK_NANOS = Duration.ofMillis(250).toNanos();

    /**
     * How long the user's code may take for a read of several batches, if others wait for it: what becomes due
     * meanwhile waits for all of them. A larger read saves time in the store, and none in the user's code.
     */
    private static final long USERS_NANOS = Duration.ofMillis(10).toNanos();

    private static final int LIGHT_BYTES = 4_000_000;

    /** A read that failed is repeated with a quarter of its size, down to one timer. */
    private static final int SHRINK_BITS = 2;

    private static final int MOST_SHRUNK = 12;

    private final int most;
    private final long mostBytes;

    private Instant from = Instant.MIN;

    /** Where the last read began. What was read before that is settled. */
    private Instant begun = Instant.MIN;

    /** Whether the next read begins with the oldest timer, whatever the end of the turn says. */
    private boolean owesAll;

    private Set<Integer> shards = Set.of();
    private long allAtNanos;

    /** How often the batch is doubled for the next read. */
    private int doublings;

    /** How many of the last reads failed in a row, and made the next one smaller. */
    private int shrunk;

    /**
     * Creates a window.
     *
     * @param most how often the batch is doubled while there is a backlog: a good part of the cost of a statement does
     *     not depend on the rows
     * @param mostBytes how many bytes of timers a read takes, unless the one before failed
     */
    public ReadWindow(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /**
     * Returns where a read of these shards begins.
     *
     * @param everySecond whether a read begins with the oldest timer at least once a second
     */
    public Instant from(Set<Integer> wanted, Instant now, long nanos, boolean everySecond) {
        if (owesAll || !wanted.equals(shards) || from.isAfter(now) || (everySecond && nanos - allAtNanos >= 0)) {
            readAll();
        }
        if (from.equals(Instant.MIN)) {
            allAtNanos = nanos + ALL_EVERY_NANOS;
        }
        owesAll = false;
        shards = wanted;
        begun = from;
        return from;
    }

    /** Returns whether the next read begins before the last one, and so may show what is being settled. */
    public boolean goesBack() {
        return from.isBefore(begun);
    }

    /**
     * Returns the time before which every timer that was read is settled; {@link Instant#MIN} if that is not known for
     * these shards.
     */
    public Instant settledBefore(Set<Integer> wanted) {
        return wanted.equals(shards) ? Times.earlier(begun, from) : Instant.MIN;
    }

    /** Returns where the next read of the same shards begins. */
    public Instant from() {
        return from;
    }

    /** Makes the next read begin with the oldest timer. */
    public void readAll() {
        from = Instant.MIN;
    }

    /** Makes the next read begin with the oldest timer, also if all that the last one has returned is settled. */
    public void oweAll() {
        left();
        owesAll = true;
    }

    /** Makes the next read include a timer that is due at that time. */
    public void announced(Instant dueAt) {
        from = Times.earlier(from, dueAt);
    }

    /** Makes the next reads smaller, down to one timer: the last one failed, and its size may be the reason. */
    public void failed() {
        left();
        shrunk = Math.min(shrunk + 1, MOST_SHRUNK);
    }

    /** Notes that a read succeeded. The next one may be larger, up to the normal size. */
    public void succeeded() {
        shrunk = Math.max(0, shrunk - 1);
    }

    /** Returns how many of these timers to read. */
    public int limit(int wanted) {
        return Math.max(1, wanted >> (SHRINK_BITS * shrunk));
    }

    /** Returns one of a few sizes, because a database makes a new plan for each size. */
    public static int roundedUp(int count) {
        return count <= 1 ? count : Integer.highestOneBit(2 * count - 1);
    }

    /** Returns how many bytes of timers to read. */
    public long bytes() {
        return Math.max(1, mostBytes >> (SHRINK_BITS * shrunk));
    }

    /**
     * Notes that the whole read is settled or will be. The next read continues from there.
     *
     * @param to up to when it read everything; {@link Instant#MIN} if the next read of all that is due begins with the
     *     oldest timer
     * @param nanos how long the delivery took
     * @param usersNanos how much of that the user's code took for each batch; 0 if nobody waits for it
     */
    public void done(DueTimers read, Instant to, long nanos, long usersNanos) {
        List<StoredTimer> timers = read.timers();
        Instant last = timers.isEmpty() ? null : timers.get(timers.size() - 1).wakeAt();
        Instant end = to.equals(Instant.MIN) ? to : to.minus(OVERLAP);
        Instant reached = read.more() ? (last == null ? Instant.MIN : last) : end;
        from = owesAll ? Instant.MIN : reached;
        boolean grows = read.more() && nanos < QUICK_NANOS && StoredTimers.bytes(timers) < LIGHT_BYTES;
        doublings = grows ? fitting(usersNanos) : 0;
    }

    /** Notes that some timers of the read are left, to be read again. */
    public void left() {
        readAll();
        doublings = 0;
    }

    /** Returns how often the batch is doubled. */
    public int doublings() {
        return doublings;
    }

    private int fitting(long usersNanos) {
        int fitting = 0;
        while (fitting < most && usersNanos << (fitting + 1) <= USERS_NANOS) {
            fitting++;
        }
        return fitting;
    }
}
