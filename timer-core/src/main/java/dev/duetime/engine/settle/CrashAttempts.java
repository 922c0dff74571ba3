package dev.duetime.engine.settle;

import dev.duetime.StoredTimer;
import dev.duetime.engine.settings.RetryPolicies;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The attempts that are counted before the delivery, because a timer may kill the process. If a shard was taken over
 * after its lease ended, one of its timers may have killed the former owner. Timers that were due before the lease
 * ended are suspects. The attempt of a suspect is written right before its delivery begins, and not while it waits
 * behind other timers. Its last attempt is made alone, so that a timer never ends as dead because of another one in the
 * same batch. Thread-safe, except the reads, which one thread makes.
 */
public final class CrashAttempts {
    private final Consumer<List<Settlement>> writes;
    private final RetryPolicies retries;
    /** When the lease of the former owner ended, by shard. */
    private final Map<Integer, Instant> suspects = new ConcurrentHashMap<>();
    /** The attempts that were counted in advance and have no outcome yet, by generation. */
    private final Map<Long, Count> counts = new ConcurrentHashMap<>();
    /** Generations that wait until they can run alone. */
    private final Set<Long> waiting = ConcurrentHashMap.newKeySet();

    private final AtomicReference<@Nullable StoredTimer> alone = new AtomicReference<>();

    /** The suspects among the shards that are being read. Used by the one thread that reads. */
    private Map<Integer, Instant> covered = Map.of();

    /**
     * An attempt that was counted in advance.
     *
     * @param before the number of attempts of the timer before this one
     * @param wakeAt when the timer was due. The count leaves it unchanged; a failure that the former owner writes later
     *     changes it
     * @param written whether the store has confirmed the attempt; it may have stored it without a confirmation
     */
    private record Count(int before, Instant wakeAt, boolean written, int shard) {
        static Count of(StoredTimer timer, boolean written) {
            return new Count(timer.attempt(), wakeAt(timer), written, timer.shard());
        }

        static Instant wakeAt(StoredTimer timer) {
            return timer.wakeAt() == null ? timer.dueAt() : timer.wakeAt();
        }

        boolean isOf(StoredTimer timer, int attempt) {
            return timer.attempt() == attempt && wakeAt(timer).equals(wakeAt);
        }
    }

    /**
     * Creates a count without suspects.
     *
     * @param writes writes settlements to the store
     */
    public CrashAttempts(Consumer<List<Settlement>> writes, RetryPolicies retries) {
        this.writes = writes;
        this.retries = retries;
    }

    public void takenOver(int shard, Instant until) {
        suspects.put(shard, until);
    }

    /**
     * Forgets the counts of shards that come from other nodes, because these nodes wrote the attempts in the rows.
     * Called by any thread.
     */
    public void forget(Set<Integer> shards) {
        if (!counts.isEmpty()) {
            counts.values().removeIf(each -> shards.contains(each.shard));
        }
    }

    /** Begins a read of these shards. It does not cover shards that are taken over from now on. */
    public void beginRead(Set<Integer> shards) {
        covered = new HashMap<>(suspects);
        covered.keySet().retainAll(shards);
    }

    /** Notes a read while no timer is in a call beside the loop. */
    public void read(DueTimers due) {
        read(due, List.of());
    }

    /**
     * Clears a shard of suspicion if this read went past the end of the former owner's lease and found no suspect
     * there.
     *
     * @param inCalls the timers in calls beside the loop, which are not in the read
     */
    public void read(DueTimers due, Collection<StoredTimer> inCalls) {
        if (covered.isEmpty()) {
            return;
        }
        List<StoredTimer> timers = due.timers();
        Instant last = timers.isEmpty() ? null : timers.get(timers.size() - 1).wakeAt();
        Instant to = !due.more() ? Instant.MAX : last == null ? Instant.MIN : last;
        Set<Integer> open = Stream.concat(timers.stream(), inCalls.stream())
                .filter(each -> wasDueBy(covered.get(each.shard()), each))
                .map(StoredTimer::shard)
                .collect(Collectors.toSet());
        covered.forEach((shard, leaseEnded) -> {
            if (!open.contains(shard) && leaseEnded.isBefore(to)) {
                suspects.remove(shard, leaseEnded);
            }
        });
        if (isIdle()) {
            counts.clear();
        }
    }

    /** Returns whether no attempt needs to be counted in advance. */
    public boolean isIdle() {
        return suspects.isEmpty() && waiting.isEmpty();
    }

    /** Returns the timer without an attempt that was counted in advance and has no outcome yet. */
    public StoredTimer known(StoredTimer timer) {
        Count count = counts.get(timer.generation());
        return count != null && count.isOf(timer, count.before + 1)
                ? StoredTimers.withAttempt(timer, count.before)
                : timer;
    }

    /**
     * Returns how many of the first timers may be delivered together: all before the first one that must be alone, but
     * at least one.
     */
    public int together(List<StoredTimer> timers, int most) {
        if (!isIdle()) {
            for (int i = 0; i < most; i++) {
                if (isLast(timers.get(i))) {
                    return Math.max(1, i);
                }
            }
        }
        return most;
    }

    /** Returns whether this is the last attempt of a timer that was tried before and may have killed its node. */
    public boolean isLast(StoredTimer timer) {
        return timer.attempt() > 0
                && isSuspect(timer)
                && retries.of(timer.content().type()).isExhausted(timer.attempt() + 1);
    }

    /**
     * Returns whether a timer may begin to run now. Of the timers that must be alone only one may run at a time, until
     * it is settled.
     */
    public boolean mayBegin(StoredTimer timer, InFlight inFlight) {
        if (isIdle() || !isLast(timer)) {
            return true;
        }
        StoredTimer before = alone.get();
        boolean free = before == null
                || before.generation() == timer.generation()
                || !inFlight.others(List.of(before)).isEmpty();
        if (free && alone.compareAndSet(before, timer)) {
            return true;
        }
        waiting.add(timer.generation());
        return false;
    }

    /**
     * Counts the attempts that begin now.
     *
     * @return whether that needed a call of the store, during which leases and deadlines may have ended
     * @throws dev.duetime.StoreException if the store failed
     */
    public boolean begin(List<StoredTimer> timers) {
        if (isIdle()) {
            return false;
        }
        List<StoredTimer> begun = timers.stream()
                .filter(each -> isSuspect(each) && !isWritten(each))
                .toList();
        if (begun.isEmpty()) {
            return false;
        }
        List<Settlement> attempts = new ArrayList<>();
        for (StoredTimer each : begun) {
            Instant wakeAt = Count.wakeAt(each);
            counts.put(each.generation(), Count.of(each, false));
            // The former owner may have written a failure since this timer was read: that one stays.
            attempts.add(new Settlement.Retried(each.key(), each.generation(), wakeAt, each.attempt() + 1, null));
        }
        writes.accept(attempts);
        // If the shard came from another node during the write, the count was forgotten, and stays so.
        begun.forEach(each -> counts.computeIfPresent(each.generation(), (generation, count) -> Count.of(each, true)));
        return true;
    }

    /** Ends an attempt whose outcome is known. */
    public void over(StoredTimer timer) {
        if (!counts.isEmpty()) {
            counts.remove(timer.generation());
        }
    }

    /** Ends the wait of a timer that ran alone, or that will never run. */
    public void ranAlone(StoredTimer timer) {
        waiting.remove(timer.generation());
    }

    private boolean isWritten(StoredTimer timer) {
        Count count = counts.get(timer.generation());
        return count != null && count.written && count.isOf(timer, count.before);
    }

    private boolean isSuspect(StoredTimer timer) {
        return waiting.contains(timer.generation()) || wasDueBy(suspects.get(timer.shard()), timer);
    }

    /** Returns whether the former owner may have delivered the timer before its lease ended. */
    private static boolean wasDueBy(@Nullable Instant leaseEnded, StoredTimer timer) {
        Instant wakeAt = timer.wakeAt();
        return leaseEnded != null
                && wakeAt != null
                && !wakeAt.isAfter(leaseEnded)
                && !timer.registeredAt().isAfter(leaseEnded);
    }
}
