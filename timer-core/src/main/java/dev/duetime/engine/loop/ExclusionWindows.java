package dev.duetime.engine.loop;

import dev.duetime.StoredTimer;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The windows of reads that leave something out. Such a read skips what it leaves out, which may be a long
 * backlog. So the next read that leaves out the same, or more, begins where the one before ended. A timer that commits
 * late may lie before that. So everything is read again after twenty times the time that it took, at least after a
 * second and at most after a polling interval.
 *
 * <p>If such a read fails, its range is read in {@linkplain ReadParts parts}. Then everything is read again after a
 * polling interval, or after four times the time that all parts took. Used by one thread.
 */
public final class ExclusionWindows {
    private static final long SHORTEST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int PART = 20;

    /** The same for a range that is read in parts, whose last part must be reached. */
    private static final int PART_IN_PARTS = 4;

    /** A window is forgotten after that time if the last part of its range was not reached. */
    private static final long UNFINISHED_NANOS = Duration.ofDays(1).toNanos();

    /** Bounds memory: the exclusions change as timers get permits. */
    private static final int MOST = 8;

    private final long longestNanos;
    private final List<Window> windows = new ArrayList<>();
    private final ReadParts parts;
    private Set<Integer> shards = Set.of();

    /** Whether the read that has begun is one of these. */
    private boolean hasBegun;

    /** Whether the read of a part failed, so that the turn broke off before it took any timer. */
    private boolean hasFailed;

    /** Whether it has found no timer. Else, if none is left of it, its timers are read again. */
    private boolean hasFoundNothing;

    /** How long the parts of the range took that have been read. */
    private long tookInPartsNanos;

    /**
     * A window.
     *
     * @param leftOut all other timers that wake before {@code from} are delivered
     * @param staleAtNanos when everything is read again
     */
    private record Window(Exclusion leftOut, Instant from, long staleAtNanos) {

        /** Returns whether a read that leaves this out leaves out all that this window leaves out. */
        boolean isWithin(Exclusion but) {
            return but.parallelKeys().containsAll(leftOut.parallelKeys())
                    && but.types().containsAll(leftOut.types())
                    && but.tenants().containsAll(leftOut.tenants())
                    && but.upTo() >= leftOut.upTo();
        }

        Window lowered(Instant to) {
            return to.isBefore(from) ? new Window(leftOut, to, staleAtNanos) : this;
        }

        Window lowered(StoredTimer left) {
            Instant wakeAt = left.wakeAt();
            return wakeAt == null || leftOut.contains(left) ? this : lowered(wakeAt);
        }
    }

    public ExclusionWindows(QueueSettings queue, ScheduleStore store) {
        longestNanos = Math.max(SHORTEST_NANOS, queue.pollInterval().toNanos());
        parts = new ReadParts(
                wanted -> store.nextDue(queue.name(), wanted, Instant.MIN).wakeAt());
    }

    /** Begins to prepare a read. It is none of these unless {@link #to} follows. */
    public void beginRead() {
        hasBegun = false;
        hasFailed = false;
        parts.beginOther();
    }

    /** Returns where a read of these shards begins that leaves something out. */
    public Instant from(Set<Integer> wanted, Exclusion but, long nanos) {
        if (!wanted.equals(shards)) {
            forget();
            shards = wanted;
        }
        windows.removeIf(each -> nanos - each.staleAtNanos >= 0);
        return windows.stream()
                .filter(each -> each.isWithin(but))
                .map(Window::from)
                .reduce(Instant.MIN, Times::later);
    }

    /** Begins such a read, once it is prepared. Returns where it ends. */
    public Instant to(Instant from, Instant now) {
        Instant to = parts.begin(shards, from, now);
        hasBegun = true;
        return to;
    }

    /** Returns whether the read is one of a part of its range, which does not reach to the present. */
    public boolean readsPart() {
        return parts.isPart();
    }

    /**
     * Notes that the read succeeded. Returns its answer for the loop, which reads on if it was one of a part.
     *
     * @param tookNanos how long it took
     */
    public DueTimers succeeded(DueTimers read, long tookNanos) {
        if (!hasBegun) {
            return read;
        }
        hasFoundNothing = read.timers().isEmpty();
        parts.succeeded(read.more(), tookNanos);
        return parts.isPart() ? new DueTimers(read.timers(), read.undecodable(), true) : read;
    }

    /** Notes that the read failed, or its preparation. A read of a part is repeated where it began. */
    public void failed() {
        hasFailed = hasBegun && parts.areUsed();
        if (hasBegun) {
            parts.failed();
        }
        if (!hasFailed) {
            forget();
        }
    }

    /** Makes the next read begin with the oldest timer, after a turn broke off with what it had read. */
    public void recover() {
        if (!hasFailed) {
            forget();
        }
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
        boolean isPartDone = parts.hasReadPart() && (!timers.isEmpty() || hasFoundNothing);
        Instant to = read.more() && last != null && !isPartDone ? last : now;
        tookInPartsNanos = from.equals(Instant.MIN) ? tookNanos : tookInPartsNanos + tookNanos;
        long staleAt = nanos + untilStale(tookNanos);
        for (Window each : windows) {
            boolean continued = !from.equals(Instant.MIN) && each.isWithin(but);
            staleAt = continued ? Math.min(staleAt, each.staleAtNanos) : staleAt;
        }
        windows.removeIf(each -> each.leftOut.equals(but));
        windows.add(new Window(but, to, staleAt));
        if (windows.size() > MOST) {
            windows.remove(0);
        }
    }

    private long untilStale(long tookNanos) {
        if (parts.isPart()) {
            return UNFINISHED_NANOS;
        }
        return parts.areUsed()
                ? Math.max(longestNanos, PART_IN_PARTS * tookInPartsNanos)
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
     * Makes the next read include a timer that is due at that time and no news, unless the range is read in parts: these
     * would begin anew each time that the store is asked for the oldest timer, which may be one that is left out.
     */
    public void readFrom(Instant dueAt) {
        if (!parts.areUsed()) {
            announced(dueAt);
        }
    }

    /** Makes the next read begin with the oldest timer. */
    public void forget() {
        windows.clear();
    }
}
