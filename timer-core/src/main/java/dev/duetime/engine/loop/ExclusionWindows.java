package dev.duetime.engine.loop;

import dev.duetime.StoredTimer;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
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
 * second and at most after a polling interval. Used by one thread.
 */
public final class ExclusionWindows {
    private static final long SHORTEST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int PART = 20;

    /** Bounds memory: the exclusions change as timers get permits. */
    private static final int MOST = 8;

    private final long longestNanos;
    private final List<Window> windows = new ArrayList<>();
    private Set<Integer> shards = Set.of();

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

    public ExclusionWindows(Duration pollInterval) {
        longestNanos = Math.max(SHORTEST_NANOS, pollInterval.toNanos());
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
        Instant to = read.more() && last != null ? last : now;
        long staleAt = nanos + Math.min(longestNanos, Math.max(SHORTEST_NANOS, PART * tookNanos));
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

    /** Makes the next read begin with the oldest timer. */
    public void forget() {
        windows.clear();
    }
}
