package dev.duetime.engine.limits;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.admin.QueueHealth.PermitWait;
import dev.duetime.engine.settings.QueueLimits;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.internal.Micros;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one queue on this node. A delivery asks for a permit before each timer, and gives it back when the
 * delivery has ended. Thread-safe.
 */
public final class QueuePermits {
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final List<HeldLimit> limits = new ArrayList<>();
    private @Nullable Instant refusedSince;

    private volatile Runnable onDemand = () -> {};
    private volatile Runnable onPermits = () -> {};

    public QueuePermits(QueueSettings queue, Clock clock) {
        this.clock = clock;
        QueueLimits given = queue.limits();
        String name = queue.name();
        long now = clock.nanoTime();
        if (given.concurrency() != null) {
            limits.add(HeldLimit.ofConcurrency(name, null, given.concurrency(), now));
        }
        if (given.rate() != null) {
            limits.add(HeldLimit.ofRate(name, null, given.rate(), false, now));
        }
        if (given.tenantRate() != null) {
            limits.add(HeldLimit.ofRate(name, null, given.tenantRate(), true, now));
        }
        given.types().forEach((type, of) -> {
            if (of.concurrency() != null) {
                limits.add(HeldLimit.ofConcurrency(name, type, of.concurrency(), now));
            }
            if (of.rate() != null) {
                limits.add(HeldLimit.ofRate(name, type, of.rate(), false, now));
            }
        });
    }

    /** Returns whether there is a limit at all. */
    public boolean isLimited() {
        return !limits.isEmpty();
    }

    /** Sets what to call, in any thread, when the node may have got more permits. Must be called before the start. */
    public void onPermits(Runnable action) {
        onPermits = action;
    }

    void onDemand(Runnable action) {
        onDemand = action;
    }

    /**
     * Begins a new count of what waits for permits.
     *
     * @param all whether timers of blocked types and tenants are counted again, too
     */
    public void beginPass(boolean all) {
        if (isLimited()) {
            lock.lock();
            try {
                limits.forEach(each -> each.beginPass(all));
            } finally {
                lock.unlock();
            }
        }
    }

    /** Returns whether timers that were refused may be tried again, and forgets that they were. */
    public boolean takeReady() {
        if (!isLimited()) {
            return false;
        }
        return locked(now -> {
            boolean ready = false;
            for (HeldLimit each : limits) {
                ready |= each.takeReady(now);
            }
            return ready;
        });
    }

    /** Returns whether some timers may not begin now, as the last pass found. */
    public boolean blocksSome() {
        return isLimited()
                && locked(now -> limits.stream()
                        .anyMatch(each ->
                                each.isBlocked(now) || !each.blockedTenants(now).isEmpty()));
    }

    /** Takes the permits of a timer that is about to begin, all or none. Returns whether it may begin. */
    public boolean tryBegin(StoredTimer timer) {
        boolean may = mayBegin(timer);
        if (may) {
            begin(timer);
        }
        return may;
    }

    /** Takes the permits of a timer that may begin. */
    public void begin(StoredTimer timer) {
        ofEach(timer, each -> each.take(timer, clock.nanoTime()));
    }

    /** Notes that timers begin together now, which may have got their permits a while ago. */
    public void begun(List<StoredTimer> timers) {
        if (isLimited()) {
            lock.lock();
            try {
                limits.forEach(each -> each.begun(timers, clock.nanoTime()));
            } finally {
                lock.unlock();
            }
        }
    }

    /** Returns whether there are permits for a timer. If not, it counts as one that waits. */
    public boolean mayBegin(StoredTimer timer) {
        if (!isLimited()) {
            return true;
        }
        boolean asks = false;
        lock.lock();
        try {
            long now = clock.nanoTime();
            List<HeldLimit> own = limits.stream()
                    .filter(each -> each.isOf(timer.content().type()))
                    .toList();
            if (own.stream().allMatch(each -> each.isFree(timer, now))) {
                return true;
            }
            for (HeldLimit each : own) {
                if (each.isFree(timer, now)) {
                    each.want(now);
                } else {
                    each.refuse(timer, now);
                    asks |= each.wantsMore();
                }
            }
        } finally {
            lock.unlock();
        }
        if (asks) {
            onDemand.run();
        }
        return false;
    }

    /** Gives back what a timer held while it was in delivery. */
    public void ended(StoredTimer timer) {
        ofEach(timer, each -> each.ended(clock.nanoTime()));
    }

    /** Gives back everything: the timer has not begun. */
    public void undo(StoredTimer timer) {
        ofEach(timer, each -> each.undo(timer, clock.nanoTime()));
    }

    private void ofEach(StoredTimer timer, Consumer<HeldLimit> change) {
        if (isLimited()) {
            lock.lock();
            try {
                limits.stream()
                        .filter(each -> each.isOf(timer.content().type()))
                        .forEach(change);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Returns whether no timer at all may begin now, as the last pass found. */
    public boolean isBlocked() {
        return isLimited()
                && locked(now -> limits.stream().anyMatch(each -> each.isOfWholeQueue() && each.isBlocked(now)));
    }

    /** Returns the types of which no timer may begin now, as the last pass found. */
    public Set<String> blockedTypes() {
        return !isLimited()
                ? new HashSet<>()
                : locked(now -> {
                    Set<String> types = new HashSet<>();
                    for (HeldLimit each : limits) {
                        String type = each.type();
                        if (type != null && each.isBlocked(now)) {
                            types.add(type);
                        }
                    }
                    return types;
                });
    }

    /** Returns the tenants of which no timer may begin now, as the last pass found. */
    public Set<String> blockedTenants() {
        return !isLimited()
                ? new HashSet<>()
                : locked(now -> {
                    Set<String> tenants = new HashSet<>();
                    limits.forEach(each -> tenants.addAll(each.blockedTenants(now)));
                    return tenants;
                });
    }

    /** Returns when to try again to begin timers that were refused; {@link Instant#MAX} if none were. */
    public Instant nextTry() {
        if (!isLimited()) {
            return Instant.MAX;
        }
        long nanos = locked(now -> limits.stream()
                .mapToLong(each -> each.nanosToNextTry(now))
                .min()
                .orElse(Long.MAX_VALUE));
        return nanos == Long.MAX_VALUE ? Instant.MAX : Micros.ceil(clock.now().plusNanos(nanos + 1));
    }

    /** Returns what waits for a permit, as the last pass found; null if nothing does. */
    @Nullable
    public PermitWait waiting() {
        if (!isLimited()) {
            return null;
        }
        lock.lock();
        try {
            long now = clock.nanoTime();
            HeldLimit most = null;
            for (HeldLimit each : limits) {
                most = each.waiting(now) > (most == null ? 0 : most.waiting(now)) ? each : most;
            }
            if (most == null) {
                refusedSince = null;
                return null;
            }
            if (refusedSince == null) {
                refusedSince = clock.now();
            }
            return new PermitWait(most.name.name(), refusedSince, most.waiting(now));
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many timers wait for the permit for which most wait. */
    public int waitingCount() {
        PermitWait waiting = waiting();
        return waiting == null ? 0 : waiting.timers();
    }

    /** Calls a function with all limits of the queue, under the lock, and the time. */
    <T> T locked(Function<Long, T> work) {
        lock.lock();
        try {
            return work.apply(clock.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /** Returns the limits; use them in {@link #locked} only. */
    List<HeldLimit> limits() {
        return limits;
    }

    void changed() {
        onPermits.run();
    }
}
