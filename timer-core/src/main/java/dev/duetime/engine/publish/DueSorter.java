package dev.duetime.engine.publish;

import dev.duetime.Envelope;
import dev.duetime.StoredTimer;
import dev.duetime.UnknownTypeException;
import dev.duetime.engine.loop.LoopParts;
import dev.duetime.engine.loop.Sorted;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.settle.MissedOccurrences;
import dev.duetime.engine.settle.Settlements;
import dev.duetime.engine.settle.Settler;
import dev.duetime.engine.shards.Claim;
import dev.duetime.internal.inside.KnownTypes;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sorter of due timers. Timers that have expired or used up their attempts are over; missed occurrences are moved
 * on; timers of a type that the publisher says it does not know are put off; the other timers are open. It takes all of
 * them into delivery and writes nothing. Used by the loop's thread.
 */
final class DueSorter {
    private final LoopParts parts;
    private final InFlight inFlight;
    private final CrashAttempts crashAttempts;
    private final MissedOccurrences missed;
    private final Settlements settlements;
    private final Settler settler;

    DueSorter(
            LoopParts parts,
            CrashAttempts crashAttempts,
            MissedOccurrences missed,
            Settlements settlements,
            Settler settler) {
        this.parts = parts;
        inFlight = parts.inFlight();
        this.crashAttempts = crashAttempts;
        this.missed = missed;
        this.settlements = settlements;
        this.settler = settler;
    }

    /** Returns the timers whose outcome is not waiting to be written. */
    DueTimers withoutAside(DueTimers read) {
        List<StoredTimer> others = settler.aside().others(read.timers());
        return others.size() == read.timers().size() ? read : new DueTimers(others, read.undecodable(), read.more());
    }

    /**
     * Returns the timers without the attempts that were counted in advance.
     *
     * @param others timers that were found behind those of the read
     */
    List<StoredTimer> counted(DueTimers due, List<StoredTimer> others) {
        return Stream.concat(due.timers().stream(), settler.aside().others(others).stream())
                .map(crashAttempts::known)
                .toList();
    }

    /**
     * Sorts timers.
     *
     * @param counted the timers of {@code due}, and those that were found behind them
     * @param isWhole whether {@code due} is the whole read
     */
    Sorted sort(DueTimers read, DueTimers due, List<StoredTimer> counted, boolean isWhole, Claim claim, Instant now) {
        List<StoredTimer> begun = inFlight.begin(stillOwned(counted, claim));
        List<Settlement> over = new ArrayList<>();
        List<StoredTimer> open = new ArrayList<>(begun.size());
        boolean sorted = false;
        try {
            missed.begin();
            for (StoredTimer timer : begun) {
                Settlement settlement = settlement(timer, now);
                if (settlement == null) {
                    open.add(timer);
                } else {
                    over.add(settlement);
                }
            }
            sorted = true;
        } finally {
            if (!sorted) {
                // Listeners know of these outcomes. The other timers leave the delivery when the loop recovers.
                settler.addAll(over);
            }
        }
        dropWaiting(open);
        boolean complete =
                isWhole && begun.size() == counted.size() && begun.stream().noneMatch(DueSorter::recurs);
        return new Sorted(read, due, now, over, open, begun.size(), complete);
    }

    /**
     * Returns the outcome of a timer that is over, or whose occurrence was missed; null if the timer is open, or waits
     * until it is known what it has missed.
     */
    private @Nullable Settlement settlement(StoredTimer timer, Instant now) {
        Settlement moved = missed.instead(timer, now);
        if (moved != null || missed.isUndecided(timer)) {
            return moved;
        }
        if (timer.isExpired(now)) {
            return settlements.expired(timer, now);
        }
        return settlements.isExhausted(timer) ? settlements.exhausted(timer, now) : unknown(timer, now);
    }

    /** Returns whether timers were left for the next turn, which goes on counting what they have missed. */
    boolean leavesUndecided() {
        return missed.leavesUndecided();
    }

    private @Nullable Settlement unknown(StoredTimer timer, Instant now) {
        if (!(parts.queue().publisher() instanceof KnownTypes known)) {
            return null;
        }
        try {
            known.check(timer.content().type());
            return null;
        } catch (UnknownTypeException e) {
            Envelope envelope = StoredTimers.envelope(
                    timer, timer.attempt() + 1, now, parts.node().codec());
            return settlements.failed(timer, envelope, e, now);
        }
    }

    private void dropWaiting(List<StoredTimer> open) {
        inFlight.end(open.stream().filter(missed::mustWait).toList());
        open.removeIf(missed::mustWait);
    }

    /**
     * The read may have taken longer than the lease, or the process was paused after it. Then other nodes deliver these
     * timers.
     */
    private static List<StoredTimer> stillOwned(List<StoredTimer> timers, Claim claim) {
        Set<Integer> owned = claim.stillOwned();
        return timers.stream().filter(each -> owned.contains(each.shard())).toList();
    }

    /** The next occurrence of a recurring timer may be due too, and earlier than the last timer of the read. */
    private static boolean recurs(StoredTimer timer) {
        return timer.content().recurrence() != null;
    }

    /** Takes timers of lost shards out of delivery. Returns whether there were any. */
    boolean dropLost(List<StoredTimer> open, Claim claim) {
        Set<Integer> owned = claim.stillOwned();
        inFlight.end(open.stream().filter(each -> !owned.contains(each.shard())).toList());
        return open.removeIf(each -> !owned.contains(each.shard()));
    }
}
