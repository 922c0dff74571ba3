package dev.duetime.engine.loop;

import dev.duetime.Clock;
import dev.duetime.store.NextDue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The search for timers that became visible behind the window of the reads: their transaction committed late, or
 * another node scheduled them for the past and its hint got lost. There the store may have to pass over the remains of
 * millions of settled timers. So the search asks for a few shards at a time, and takes a small part of the loop's time.
 * Used by the loop's thread.
 */
final class LateArrivals {
    /** The shortest time in which all shards are searched once. */
    private static final long SHORTEST_ROUND_NANOS = Duration.ofMillis(250).toNanos();

    /** A step is followed by another one after this many times as long as it took. */
    private static final int PART = 20;

    /** A search of all shards at once is followed by another one after this many times as long as it took. */
    private static final int IDLE_PART = 4 * PART;

    private static final long SHORT_STEP_NANOS = Duration.ofMillis(2).toNanos();
    private static final long LONG_STEP_NANOS = Duration.ofMillis(10).toNanos();

    private final Clock clock;
    private final Function<Collection<Integer>, NextDue> asks;

    /** The shards of this round that were not searched yet. */
    private List<Integer> left = List.of();

    private Set<Integer> shards = Set.of();

    /** How many shards the next step takes. */
    private int width = Integer.MAX_VALUE;

    private long nextAtNanos;

    /** When the present round began, and how long its steps took. */
    private long roundBeganNanos;

    private long roundTookNanos;

    /** Whether a step of this round found a timer that may be settled, and that the next read passes over. */
    private boolean passedOver;

    /** When the last search of all shards began, by steps or at once, and how long it took. */
    private long allAtNanos;

    private long allTookNanos;

    /**
     * Creates a search.
     *
     * @param asks asks the store for the earliest timer of some shards
     */
    LateArrivals(Clock clock, Function<Collection<Integer>, NextDue> asks) {
        this.clock = clock;
        this.asks = asks;
        nextAtNanos = clock.nanoTime();
        allAtNanos = nextAtNanos;
    }

    /**
     * Takes a step, if it is time. What the last read has found may not be settled yet, so timers from {@code before}
     * on are no result. If such a timer lies behind the beginning of the next read, another one may be there, too. Then
     * this round is no search of all timers.
     *
     * @param before where to search; {@link Instant#MIN} if that is not known, for example because what was read before
     *     may not be settled yet: then there is no step
     * @param readsFrom where the next read begins
     * @return when the earliest timer that was found wakes; {@link Instant#MAX} if none was found
     * @throws dev.duetime.StoreException if the store failed
     */
    Instant search(Set<Integer> owned, Instant before, Instant readsFrom) {
        long began = clock.nanoTime();
        if (before.equals(Instant.MIN) || began - nextAtNanos < 0 || owned.isEmpty()) {
            return Instant.MAX;
        }
        if (left.isEmpty() || !owned.equals(shards)) {
            shards = Set.copyOf(owned);
            left = new ArrayList<>(owned);
            roundBeganNanos = began;
            roundTookNanos = 0;
            passedOver = false;
        }
        List<Integer> step = left.subList(0, Math.min(width, left.size()));
        Instant found = asks.apply(List.copyOf(step)).wakeAt();
        Instant wakeAt = found == null ? Instant.MAX : found;
        int searched = step.size();
        step.clear();
        long took = clock.nanoTime() - began;
        nextAtNanos = began + took + Math.max(SHORTEST_ROUND_NANOS * searched / shards.size(), PART * took);
        roundTookNanos += took;
        boolean isLate = wakeAt.isBefore(before);
        passedOver |= !isLate && wakeAt.isBefore(readsFrom);
        if (left.isEmpty() && !passedOver) {
            allAtNanos = roundBeganNanos;
            allTookNanos = roundTookNanos;
        }
        adapt(took, searched);
        return isLate ? wakeAt : Instant.MAX;
    }

    /** Notes that all shards were searched, by a question for all timers or a read of all of them. */
    void searchedAll(long beganNanos, long tookNanos) {
        left = List.of();
        allAtNanos = beganNanos;
        allTookNanos = tookNanos;
        nextAtNanos = beganNanos + tookNanos + Math.max(SHORTEST_ROUND_NANOS, PART * tookNanos);
    }

    /**
     * Returns how long it is until a loop that has nothing to do should search all shards at once. A busy loop has
     * searched all of them by steps before.
     */
    Duration untilAll(Duration pollInterval) {
        long wait = Math.max(pollInterval.toNanos(), IDLE_PART * allTookNanos);
        return Duration.ofNanos(Math.max(0, allAtNanos + wait - clock.nanoTime()));
    }

    private void adapt(long took, int searched) {
        if (took > LONG_STEP_NANOS) {
            width = Math.max(1, searched / 2);
        } else if (took < SHORT_STEP_NANOS && searched == width) {
            width = 2 * width;
        }
    }
}
