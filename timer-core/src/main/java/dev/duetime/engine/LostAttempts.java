package dev.duetime.engine;

import dev.duetime.StoredTimer;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts the attempts that a crashed node could not: a shard that was taken over because its lease ran out may hold the
 * timer that killed its owner, so what was due there by then gets one more attempt on record before it is delivered again.
 * Otherwise a payload that kills the process would be delivered for ever. Takeovers are noted by any thread, the rest is
 * done by one.
 */
final class LostAttempts {
    private final Consumer<List<Settlement>> writes;
    private final Map<Integer, Suspect> suspects = new ConcurrentHashMap<>();

    /** Those whose shards are being read. Used by the one thread that counts. */
    private Map<Integer, Suspect> covered = Map.of();

    /**
     * Creates the count.
     *
     * @param writes settles in the store
     */
    LostAttempts(Consumer<List<Settlement>> writes) {
        this.writes = writes;
    }

    void takenOver(int shard, Instant until) {
        suspects.put(shard, new Suspect(until));
    }

    /** Begins a read of these shards: what is taken over from now on is not covered by it. */
    void beginRead(Set<Integer> shards) {
        covered = new HashMap<>(suspects);
        covered.keySet().retainAll(shards);
    }

    /** Returns whether the read that began must find the oldest that is due, to count it. */
    boolean isCounting() {
        return !covered.isEmpty();
    }

    /**
     * Counts, and returns the timers as they stand then.
     *
     * @param due by {@code wakeAt}
     * @param more whether the shards may hold more that is due
     */
    List<StoredTimer> count(List<StoredTimer> due, boolean more) {
        if (covered.isEmpty()) {
            return due;
        }
        Map<Integer, Suspect> now = covered;
        List<StoredTimer> counted = new ArrayList<>(due.size());
        List<Settlement> attempts = new ArrayList<>();
        for (StoredTimer timer : due) {
            Instant wakeAt = timer.wakeAt();
            Suspect suspect = now.get(timer.shard());
            if (wakeAt == null
                    || suspect == null
                    || suspect.wasCounted(timer)
                    || !suspect.mayHaveDelivered(timer, wakeAt)) {
                counted.add(timer);
            } else {
                StoredTimer again = timer.withAttempt(timer.attempt() + 1);
                suspect.counting(again);
                attempts.add(new Settlement.Retried(
                        again.key(), again.generation(), wakeAt, again.attempt(), again.failure()));
                counted.add(again);
            }
        }
        if (!attempts.isEmpty()) {
            writes.accept(attempts);
        }
        due.forEach(timer -> note(timer, now.get(timer.shard())));
        if (!more) {
            now.forEach(suspects::remove);
        }
        return counted;
    }

    private static void note(StoredTimer timer, @Nullable Suspect suspect) {
        Instant wakeAt = timer.wakeAt();
        if (suspect != null && wakeAt != null) {
            suspect.note(timer, wakeAt);
        }
    }

    /** Knows how far a shard was counted: what could not be delivered is read again, and must not be counted again. */
    private static final class Suspect {
        private final Instant leaseEnded;
        private final Set<Long> countedThen = new HashSet<>();
        /** Attempts on their way to the store, by generation: it may have them though it did not say so. */
        private final Map<Long, Integer> counting = new HashMap<>();

        private Instant countedTo = Instant.MIN;

        Suspect(Instant leaseEnded) {
            this.leaseEnded = leaseEnded;
        }

        void counting(StoredTimer again) {
            counting.put(again.generation(), again.attempt());
        }

        boolean wasCounted(StoredTimer timer) {
            return timer.attempt() >= counting.getOrDefault(timer.generation(), Integer.MAX_VALUE);
        }

        /** Returns whether the former owner may have delivered it, and that is not counted yet. */
        boolean mayHaveDelivered(StoredTimer timer, Instant wakeAt) {
            boolean counted = wakeAt.isBefore(countedTo)
                    || (wakeAt.equals(countedTo) && countedThen.contains(timer.generation()));
            return !counted
                    && !wakeAt.isAfter(leaseEnded)
                    && !timer.registeredAt().isAfter(leaseEnded);
        }

        void note(StoredTimer timer, Instant wakeAt) {
            counting.remove(timer.generation());
            if (wakeAt.isAfter(countedTo)) {
                countedTo = wakeAt;
                countedThen.clear();
            }
            if (wakeAt.equals(countedTo)) {
                countedThen.add(timer.generation());
            }
        }
    }
}
