package dev.duetime.engine.settle;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.internal.EndSteps;
import dev.duetime.store.Settlement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The generations that this node has in delivery, so that {@code cancel} returns the truth on the delivering node. If a
 * timer is in delivery first, it is too late to cancel that generation. If it is marked as being cancelled first, it is
 * not delivered. Thread-safe.
 */
public final class InFlight {
    private final ReentrantLock lock = new ReentrantLock();

    /** The generation of a timer that is in delivery, the shard that it was read from, and if it has a deadline. */
    private static final class Delivery {
        final long generation;
        final int shard;
        final boolean expires;

        /** Whether an owner has named it since {@link #keepOnly} began. */
        boolean kept;

        private Delivery(long generation, int shard, boolean expires) {
            this.generation = generation;
            this.shard = shard;
            this.expires = expires;
        }

        static Delivery of(StoredTimer timer) {
            return new Delivery(
                    timer.generation(), timer.shard(), timer.content().expiresAt() != null);
        }

        boolean isOf(long other) {
            return generation == other;
        }
    }

    /** Names a timer that stays in delivery. */
    @FunctionalInterface
    public interface Keep {
        void keep(TimerKey key, long generation);
    }

    // Mutable state, guarded by lock.
    private final Map<TimerKey, Delivery> delivering = new HashMap<>();
    /**
     * Keys that are being cancelled, with the number of calls. A call that has ended is forgotten when the next read
     * begins.
     */
    private final Map<TimerKey, Integer> cancelling = new HashMap<>();

    /** Keys whose cancelling ended since the current read began. */
    private final Set<TimerKey> cancelled = new HashSet<>();

    private boolean reading;

    private final Consumer<TimerKey> cancelBegins;

    /** Creates an empty set. */
    public InFlight() {
        this(key -> {});
    }

    /**
     * Creates an empty set.
     *
     * @param cancelBegins called with each key that is being cancelled, before it is known whether it can be cancelled
     */
    public InFlight(Consumer<TimerKey> cancelBegins) {
        this.cancelBegins = cancelBegins;
    }

    /** Begins a read. Its rows cannot be outdated by cancel calls that have ended before it. */
    public void beginRead() {
        reading(true);
    }

    /** Ends the read, whether it succeeded or not. */
    public void endRead() {
        reading(false);
    }

    private void reading(boolean now) {
        lock.lock();
        try {
            reading = now;
            cancelled.clear();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the timers that may be delivered: all that were read, except those that are being cancelled, or were
     * since the read began.
     */
    public List<StoredTimer> admit(List<StoredTimer> timers) {
        lock.lock();
        try {
            return timers.stream().filter(each -> !isCancelled(each.key())).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the keys that {@link #admit} would leave out. */
    public List<TimerKey> refused(List<StoredTimer> timers) {
        lock.lock();
        try {
            return timers.stream()
                    .map(StoredTimer::key)
                    .filter(this::isCancelled)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private boolean isCancelled(TimerKey key) {
        return cancelling.containsKey(key) || cancelled.contains(key);
    }

    /** Takes an admitted timer into delivery, unless it is being cancelled. Returns whether it is in delivery. */
    public boolean begin(StoredTimer timer) {
        lock.lock();
        try {
            if (isCancelled(timer.key())) {
                return false;
            }
            delivering.put(timer.key(), Delivery.of(timer));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the timers whose generation is not in delivery. */
    public List<StoredTimer> others(List<StoredTimer> timers) {
        lock.lock();
        try {
            return timers.stream()
                    .filter(each -> !isDelivering(each.key(), each.generation()))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Takes timers into delivery, except those that are being cancelled, or were since the read began. */
    public List<StoredTimer> begin(List<StoredTimer> timers) {
        lock.lock();
        try {
            List<StoredTimer> begun =
                    timers.stream().filter(each -> !isCancelled(each.key())).toList();
            begun.forEach(each -> delivering.put(each.key(), Delivery.of(each)));
            reading = false;
            cancelled.clear();
            return begun;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the delivery of timers that were not settled. */
    public void end(List<StoredTimer> timers) {
        lock.lock();
        try {
            timers.forEach(each -> end(each.key(), each.generation()));
        } finally {
            lock.unlock();
        }
    }

    /** Ends the delivery of timers that were settled. */
    public void settled(List<Settlement> outcomes) {
        lock.lock();
        try {
            outcomes.forEach(each -> end(each.key(), each.generation()));
        } finally {
            lock.unlock();
        }
    }

    /** Ends the delivery of a timer that was not settled. */
    public void end(StoredTimer timer) {
        lock.lock();
        try {
            end(timer.key(), timer.generation());
        } finally {
            lock.unlock();
        }
    }

    private void end(TimerKey key, long generation) {
        if (isDelivering(key, generation)) {
            delivering.remove(key);
        }
    }

    /**
     * Ends the delivery of all timers that no owner names. Called after an error, such as a full heap: then some timers
     * may have been taken into delivery that nobody would end. Creates no object for a timer.
     *
     * @param owners names all timers that are in calls or have an outcome which is not written
     */
    public void keepOnly(Consumer<Keep> owners) {
        lock.lock();
        try {
            delivering.values().forEach(each -> each.kept = false);
            owners.accept(this::keep);
            delivering.values().removeIf(each -> !each.kept);
        } finally {
            lock.unlock();
        }
    }

    private void keep(TimerKey key, long generation) {
        Delivery known = delivering.get(key);
        if (known != null && known.isOf(generation)) {
            known.kept = true;
        }
    }

    private boolean isDelivering(TimerKey key, long generation) {
        Delivery known = delivering.get(key);
        return known != null && known.isOf(generation);
    }

    /** Returns the shard of the timer that has this outcome; empty if it is not in delivery. */
    OptionalInt shardOf(Settlement outcome) {
        Delivery known = deliveryOf(outcome);
        return known == null ? OptionalInt.empty() : OptionalInt.of(known.shard);
    }

    /** Returns whether the timer that has this outcome has a deadline; true if it is not in delivery. */
    boolean expires(Settlement outcome) {
        Delivery known = deliveryOf(outcome);
        return known == null || known.expires;
    }

    private @Nullable Delivery deliveryOf(Settlement outcome) {
        lock.lock();
        try {
            Delivery known = delivering.get(outcome.key());
            return known != null && known.isOf(outcome.generation()) ? known : null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Begins to cancel a timer. Returns its generation that is in delivery and can no longer be cancelled; empty if
     * there is none. Has begun nothing if it throws.
     */
    public OptionalLong beginCancel(TimerKey key) {
        OptionalLong inDelivery;
        lock.lock();
        try {
            Delivery known = delivering.get(key);
            inDelivery = known == null ? OptionalLong.empty() : OptionalLong.of(known.generation);
            cancelling.merge(key, 1, Integer::sum);
        } finally {
            lock.unlock();
        }
        try {
            cancelBegins.accept(key);
        } catch (Throwable e) {
            EndSteps.after(e, () -> endCancel(key));
            throw e;
        }
        return inDelivery;
    }

    /** Ends what {@link #beginCancel} began. */
    public void endCancel(TimerKey key) {
        lock.lock();
        try {
            try {
                if (reading) {
                    cancelled.add(key);
                }
            } finally {
                // Also if there is no memory: a key that stays here is never delivered by this node.
                cancelling.computeIfPresent(key, (same, calls) -> calls == 1 ? null : calls - 1);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many timers are in delivery. */
    public int size() {
        lock.lock();
        try {
            return delivering.size();
        } finally {
            lock.unlock();
        }
    }
}
