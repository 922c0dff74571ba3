package dev.duetime.engine.window;

import dev.duetime.StoredTimer;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The windows of reads that leave something out. Such a read skips what it leaves out, which may be a long
 * backlog. So the next read that leaves out the same, or more, begins where the one before ended. A timer that commits
 * late may lie before that. So everything is read again after twenty times the time that it took, at least after a
 * second and at most after a polling interval.
 *
 * <p>If such a read fails, its range is read in {@linkplain ReadParts parts}. Then everything is read again after a
 * polling interval, or after four times the time that all parts took. Until the last part is reached, every second
 * read goes on where the reads have come furthest, whatever they left out. So timers get their turn although what is
 * left out changes, and new ones do while older ones are read again. Such a read passes over timers that may be
 * delivered. So it is only for timers without a parallel key, and what it has passed over is read again later. Used by
 * one thread.
 */
public final class ExclusionWindows {
    private static final long SHORTEST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int PART = 20;

    /** The same while a range is read in parts: the reads must come to the last part. */
    private static final int PART_IN_PARTS = 4;

    /** If there was no such read for so long, the next one takes its whole range. */
    private static final long IN_PARTS_NANOS = Duration.ofMinutes(1).toNanos();

    /** A window is forgotten after so long if the reads have not come to the last part of its range. */
    private static final long UNFINISHED_NANOS = Duration.ofDays(1).toNanos();

    /** An outage whose statements end late looks like an instant that is too much. */
    private static final long LONGEST_STUCK_NANOS = Duration.ofMinutes(1).toNanos();

    /** Bounds memory: the exclusions change as timers get permits. */
    private static final int MOST = 8;

    private final long longestNanos;
    private final List<Window> windows = new ArrayList<>();

    /** The parts of reads that continue a window, and of those that go on where others have come furthest. */
    private final ReadParts parts;

    private final ReadParts furtherParts;
    private Set<Integer> shards = Set.of();

    /** The window that the read continues; null if it begins with the oldest timer. */
    private @Nullable Window continued;

    private final FurthestRead furthest;

    /** Whether the read goes on where others have come furthest, and not where its window ends. */
    private boolean goesOn;

    private Instant present = Instant.MIN;

    /** Whether one instant is too much for the reads of a window, and until when only other reads are made. */
    private boolean isStuck;

    private long stuckUntilNanos;

    /** When a read that leaves something out began last. */
    private long lastNanos;

    /** Whether the read that has begun is one of these. */
    private boolean hasBegun;

    /** Whether what it has found is thrown away, to be read again. */
    private boolean isDiscarded;

    /** Whether the read of a part failed, so that the turn broke off before it took any timer. */
    private boolean hasFailed;

    /**
     * A window.
     *
     * @param leftOut all other timers that wake before {@code from} are delivered
     * @param staleAtNanos when everything is read again
     * @param tookNanos how long the parts took that were read from the oldest timer on
     */
    private record Window(Exclusion leftOut, Instant from, long staleAtNanos, long tookNanos) {

        /** Returns whether a read that leaves this out leaves out all that this window leaves out. */
        boolean isWithin(Exclusion but) {
            return but.parallelKeys().containsAll(leftOut.parallelKeys())
                    && but.types().containsAll(leftOut.types())
                    && but.tenants().containsAll(leftOut.tenants())
                    && but.upTo() >= leftOut.upTo();
        }

        Window lowered(Instant to) {
            return to.isBefore(from) ? new Window(leftOut, to, staleAtNanos, tookNanos) : this;
        }

        Window lowered(StoredTimer left) {
            Instant wakeAt = left.wakeAt();
            return wakeAt == null || leftOut.contains(left) ? this : lowered(wakeAt);
        }
    }

    public ExclusionWindows(QueueSettings queue, ScheduleStore store) {
        this(
                queue.pollInterval(),
                wanted -> store.nextDue(queue.name(), wanted, Instant.MIN).wakeAt());
    }

    /**
     * Creates a view without windows.
     *
     * @param oldest returns when the oldest timer of some shards wakes; null if there is none
     */
    ExclusionWindows(Duration pollInterval, Function<Set<Integer>, @Nullable Instant> oldest) {
        longestNanos = Math.max(SHORTEST_NANOS, pollInterval.toNanos());
        parts = new ReadParts(oldest);
        furtherParts = new ReadParts(oldest);
        furthest = new FurthestRead(longestNanos);
    }

    /** Begins to prepare a read. It is none of these unless {@link #to} follows. */
    public void beginRead() {
        hasBegun = false;
        hasFailed = false;
        isDiscarded = false;
        goesOn = false;
        parts.beginOther();
        furtherParts.beginOther();
    }

    private ReadParts used() {
        return goesOn ? furtherParts : parts;
    }

    /** Returns whether ranges are read in parts. */
    public boolean areInParts(long nanos) {
        if (parts.areUsed() && nanos - lastNanos >= IN_PARTS_NANOS) {
            parts.forget();
            furtherParts.forget();
            furthest.forget();
        }
        return parts.areUsed();
    }

    /** Returns whether it is the turn of a read that goes on where others have come furthest. */
    public boolean mayGoOn(Set<Integer> wanted, Instant now, long nanos) {
        isStuck &= nanos - stuckUntilNanos < 0;
        return areInParts(nanos) && wanted.equals(shards) && furthest.takeTurn(now, isStuck);
    }

    /** Lets the read go on there, unless a window reaches as far. Returns whether it does. */
    public boolean goOn(Exclusion but, long nanos) {
        continued = continued(but, nanos);
        goesOn = continued == null || continued.from.isBefore(furthest.at());
        return goesOn;
    }

    /** Returns where reads have come furthest. */
    public Instant furthest() {
        return furthest.at();
    }

    /** Returns where a read of these shards begins that leaves something out. */
    public Instant from(Set<Integer> wanted, Exclusion but, long nanos) {
        areInParts(nanos);
        if (!wanted.equals(shards)) {
            forget();
            shards = wanted;
        }
        continued = continued(but, nanos);
        return continued == null ? Instant.MIN : continued.from;
    }

    private @Nullable Window continued(Exclusion but, long nanos) {
        lastNanos = nanos;
        windows.removeIf(each -> nanos - each.staleAtNanos >= 0);
        return windows.stream()
                .filter(each -> each.isWithin(but))
                .max(Comparator.comparing(Window::from))
                .orElse(null);
    }

    /** Begins such a read, once it is prepared. Returns where it ends. */
    public Instant to(Instant from, Instant now) {
        present = now;
        Instant to = used().begin(shards, from, now);
        hasBegun = true;
        return to;
    }

    /** Returns whether the read is one of a part of its range, which does not reach to the present. */
    public boolean readsPart() {
        return used().isPart();
    }

    /** Returns whether the read passes over timers that others have not passed over. */
    public boolean goesOn() {
        return goesOn;
    }

    /**
     * Notes that the read succeeded. Returns its answer for the loop, which reads on if it has not read everything.
     *
     * @param tookNanos how long it took
     */
    public DueTimers succeeded(DueTimers read, long tookNanos) {
        if (!hasBegun) {
            return read;
        }
        used().succeeded(read.more(), tookNanos);
        return used().isPart() || goesOn ? new DueTimers(read.timers(), read.undecodable(), true) : read;
    }

    /** Notes that what the read has found is thrown away, and is read again. */
    public void discard() {
        isDiscarded = true;
    }

    /**
     * Notes that the read failed, or its preparation. A read of a part is repeated where it began. If one instant is
     * too much for a read, only those that go on get past it. In an outage they pass over a few milliseconds.
     *
     * @param tookNanos how long the read took
     */
    public void failed(long tookNanos) {
        if (hasBegun && used().failed(tookNanos)) {
            furthest.passes(used().to(), lastNanos);
            if (!goesOn) {
                isStuck = true;
                long rest = Math.min(LONGEST_STUCK_NANOS, PART * tookNanos);
                stuckUntilNanos = lastNanos + tookNanos + Math.max(longestNanos, rest);
            }
        }
        // The windows stay also if this read was the first one that was too long: their parts need not be read again.
        hasFailed = hasBegun && parts.areUsed();
        if (!hasFailed) {
            forget();
        }
    }

    private void put(Window window) {
        windows.removeIf(each -> each.leftOut.equals(window.leftOut));
        windows.add(window);
        if (windows.size() > MOST) {
            windows.remove(0);
        }
    }

    /** Makes the next read begin with the oldest timer, after a turn broke off with what it had read. */
    public void recover() {
        if (!hasFailed) {
            forget();
        }
        hasFailed = false;
    }

    /**
     * Notes a read of which all timers are delivered or will be, except those that are {@link #left}.
     *
     * @param from where it began
     * @param now up to which time it was
     * @param tookNanos how long it took
     */
    public void done(Exclusion but, Instant from, Instant now, DueTimers read, long nanos, long tookNanos) {
        List<StoredTimer> timers = read.timers();
        Instant last = timers.isEmpty() ? from : timers.get(timers.size() - 1).wakeAt();
        boolean isRead = used().hasReadAll() && !isDiscarded;
        Instant to = isRead || last == null ? now : last;
        // Timers with parallel keys may fill a read that goes on, all of them due at one instant.
        boolean isFull = goesOn && !isRead && !isDiscarded && !to.isAfter(from);
        noteFurthest(isFull ? to.plus(1, ChronoUnit.MICROS) : to, isRead, nanos);
        if (goesOn) {
            return;
        }
        long took = tookNanos + (continued == null || from.equals(Instant.MIN) ? 0 : continued.tookNanos);
        long staleAt = nanos + untilStale(tookNanos, took);
        for (Window each : windows) {
            boolean fits = !from.equals(Instant.MIN) && each.isWithin(but);
            staleAt = fits ? Math.min(staleAt, each.staleAtNanos) : staleAt;
        }
        put(new Window(but, to, staleAt, took));
    }

    private void noteFurthest(Instant to, boolean isRead, long nanos) {
        if (!parts.areUsed()) {
            furthest.forget();
        } else if (isRead && !used().isPart()) {
            furthest.hasReadToPresent(goesOn, present, nanos);
        } else {
            furthest.hasRead(to, present, nanos);
        }
    }

    private long untilStale(long tookNanos, long allTookNanos) {
        if (parts.isPart()) {
            return UNFINISHED_NANOS;
        }
        return parts.areUsed()
                ? Math.max(longestNanos, PART_IN_PARTS * allTookNanos)
                : Math.min(longestNanos, Math.max(SHORTEST_NANOS, PART * tookNanos));
    }

    /** Makes the next read include timers that were read and not delivered, unless they are left out. */
    public void left(Collection<StoredTimer> timers) {
        for (StoredTimer each : timers) {
            windows.replaceAll(window -> window.lowered(each));
        }
    }

    /** Makes the next read include a timer that is due at that time. */
    public void announced(Instant dueAt) {
        windows.replaceAll(each -> each.lowered(dueAt));
    }

    /**
     * Notes when the oldest timer is due. The next read includes it, unless its range is read in parts: these would
     * begin anew with each question for the oldest timer, which may be one that is left out.
     */
    public void oldestIs(Instant dueAt) {
        if (!parts.areUsed()) {
            announced(dueAt);
        }
    }

    /** Makes the next read begin with the oldest timer. */
    public void forget() {
        windows.clear();
        furthest.forget();
    }
}
