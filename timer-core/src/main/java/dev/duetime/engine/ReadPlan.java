package dev.duetime.engine;

import dev.duetime.StoredTimer;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Decides from where on to read what is due, and how many batches at once. While a backlog goes through, a read begins where
 * the one before ended: what lies before is settled, but a database passes over what is left of it in the index until that
 * is cleaned, again with each read. A timer that commits late lies before as well, so that everything is read at least every
 * second. Used by one thread.
 */
final class ReadPlan {
    private static final long ALL_EVERY_NANOS = Duration.ofSeconds(1).toNanos();
    /** Turns that take longer are not made larger: who waits for one that is over waits for the rest of it. */
    private static final long QUICK_NANOS = Duration.ofMillis(250).toNanos();

    private static final int LIGHT_BYTES = 4_000_000;

    private final int most;

    private Instant from = Instant.MIN;
    private Set<Integer> shards = Set.of();
    private long allAtNanos;
    private boolean large;

    /**
     * Creates a plan.
     *
     * @param most how often the batch is doubled while there is much to do: a good part of the cost of a statement is not per
     *     row
     */
    ReadPlan(int most) {
        this.most = most;
    }

    /** Returns where a read of these shards begins. */
    Instant from(Set<Integer> wanted, long nanos) {
        if (!wanted.equals(shards) || nanos - allAtNanos >= 0) {
            readAll();
        }
        if (from.equals(Instant.MIN)) {
            allAtNanos = nanos + ALL_EVERY_NANOS;
        }
        shards = wanted;
        return from;
    }

    /** Makes the next read begin with the oldest. */
    void readAll() {
        from = Instant.MIN;
    }

    /** Makes the next read find a timer that is due at that time. */
    void announced(Instant dueAt) {
        if (dueAt.isBefore(from)) {
            readAll();
        }
    }

    /** Notes that all that was read is settled or will be, and how long that took; the next read goes on from there. */
    void done(DueTimers read, long nanos) {
        List<StoredTimer> timers = read.timers();
        Instant last = timers.isEmpty() ? null : timers.get(timers.size() - 1).wakeAt();
        from = read.more() && last != null ? last : Instant.MIN;
        large = read.more() && nanos < QUICK_NANOS && bytes(timers) < LIGHT_BYTES;
    }

    /** Notes that some of what was read is left, to be read again. */
    void left() {
        readAll();
        large = false;
    }

    /** Returns how often the batch is doubled. */
    int doublings() {
        return large ? most : 0;
    }

    private static long bytes(List<StoredTimer> timers) {
        return timers.stream()
                .mapToLong(each -> each.content().payload().size())
                .sum();
    }
}
