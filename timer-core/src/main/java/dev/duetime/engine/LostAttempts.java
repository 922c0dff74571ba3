package dev.duetime.engine;

import dev.duetime.StoredTimer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Counts the attempts that a crashed node could not: a shard that was taken over because its lease ran out may hold the
 * timer that killed its owner, so what was due there by then gets one more attempt on record before it is delivered again.
 * Otherwise a payload that kills the process would be delivered for ever. Takeovers are noted by any thread, the rest is
 * done by one.
 */
final class LostAttempts {
    private final ScheduleStore store;
    /** When the lease of the former owner ended, by shard; what came due later it cannot have delivered. */
    private final Map<Integer, Instant> leaseEnded = new ConcurrentHashMap<>();

    /** Generations of the last batch, counted: they come again if they could not be delivered. */
    private Set<Long> known = Set.of();

    LostAttempts(ScheduleStore store) {
        this.store = store;
    }

    void takenOver(int shard, Instant until) {
        leaseEnded.put(shard, until);
    }

    /**
     * Counts, and returns the timers as they stand then.
     *
     * @param more whether the shards may hold more that is due
     */
    List<StoredTimer> count(List<StoredTimer> due, boolean more) {
        if (leaseEnded.isEmpty()) {
            return due;
        }
        Map<Integer, Instant> suspects = Map.copyOf(leaseEnded);
        List<StoredTimer> counted = new ArrayList<>(due.size());
        List<Settlement> attempts = new ArrayList<>();
        for (StoredTimer timer : due) {
            Instant wakeAt = timer.wakeAt();
            Instant until = suspects.get(timer.shard());
            if (wakeAt == null || until == null || wakeAt.isAfter(until) || known.contains(timer.generation())) {
                counted.add(timer);
            } else {
                StoredTimer again = timer.withAttempt(timer.attempt() + 1);
                attempts.add(new Settlement.Retried(
                        again.key(), again.generation(), wakeAt, again.attempt(), again.failure()));
                counted.add(again);
            }
        }
        if (!attempts.isEmpty()) {
            store.settle(attempts);
        }
        known = due.stream().map(StoredTimer::generation).collect(Collectors.toSet());
        if (!more) {
            suspects.forEach(leaseEnded::remove);
        }
        return counted;
    }
}
