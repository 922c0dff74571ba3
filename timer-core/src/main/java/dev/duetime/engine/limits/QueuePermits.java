package dev.duetime.engine.limits;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.admin.QueueHealth.PermitWait;
import dev.duetime.engine.settings.QueueLimits;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.internal.Micros;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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

    /**
     * The generations of timers that have permits and have not begun. The value is the number of shares in their limits
     * that had ended before.
     */
    private final Map<Long, Long> reserved = new HashMap<>();

    /** Whether a change broke off, so that permits may be taken which no owner gives back. Written under lock. */
    private volatile boolean doubtful;

    private volatile Runnable onDemand = () -> {};
    private volatile Runnable onUse = () -> {};
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

    /** Sets what to call when a timer begins, ends or is refused. Must be called before the start. */
    void onUse(Runnable action) {
        onUse = action;
    }

    /**
     * Begins a new count of what waits for permits.
     *
     * @param all whether timers of blocked types and tenants are counted again, too
     */
    public void beginPass(boolean all) {
        if (isLimited()) {
            locked(now -> {
                limits.forEach(each -> each.refusals().beginPass(all));
                return true;
            });
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
                ready |= each.refusals().takeReady(now);
            }
            return ready;
        });
    }

    /** Returns whether some timers may not begin now, as the last pass found. */
    public boolean blocksSome() {
        return isLimited()
                && locked(now -> limits.stream()
                        .anyMatch(each -> each.refusals().areBlocked(now)
                                || !each.refusals().blockedTenants(now).isEmpty()));
    }

    /**
     * Takes the permits of a timer that is about to begin, all or none. They count from {@link #begun} on. If there are
     * none, it counts as one that waits.
     *
     * @return whether it may begin
     */
    public boolean tryBegin(StoredTimer timer) {
        return ask(timer, true);
    }

    /**
     * Notes that timers which have permits begin now, together. Much may have been written since they got them.
     *
     * @return those that may begin; others may not, since the share of this node has ended, and neither may those that
     *     follow one of them with its parallel key
     */
    public List<StoredTimer> begun(List<StoredTimer> timers) {
        if (!isLimited()) {
            return timers;
        }
        Set<String> waiting = new HashSet<>();
        List<StoredTimer> begun = new ArrayList<>(timers.size());
        for (StoredTimer each : timers) {
            String key = each.content().parallelKey();
            if ((key == null || !waiting.contains(key)) && begun(each)) {
                begun.add(each);
            } else if (key != null) {
                waiting.add(key);
            }
        }
        return begun;
    }

    /** Notes that a timer which has permits begins now. Returns whether it may. */
    public boolean begun(StoredTimer timer) {
        return !isLimited()
                || locked(now -> {
                    List<HeldLimit> own = of(timer);
                    Long before = reserved.get(timer.generation());
                    boolean may = own.stream().allMatch(each -> each.units().isHeld(now))
                            && (before == null || before == endedShares(own));
                    if (may && before != null) {
                        reserved.remove(timer.generation());
                        own.forEach(each -> each.begun(timer, now));
                    }
                    return may;
                });
    }

    /** Returns whether there are permits for a timer, without counting one that waits. */
    public boolean isFree(StoredTimer timer) {
        return !isLimited() || locked(now -> of(timer).stream().allMatch(each -> each.isFree(timer, now)));
    }

    /** Returns whether there are permits for a timer. If not, it counts as one that waits. */
    public boolean mayBegin(StoredTimer timer) {
        return ask(timer, false);
    }

    /**
     * Returns whether there are permits for a timer.
     *
     * @param takes whether to take them. Units may be given up at any time, so the check and this are one step
     */
    private boolean ask(StoredTimer timer, boolean takes) {
        if (!isLimited()) {
            return true;
        }
        boolean asks = false;
        boolean may;
        boolean whole = false;
        lock.lock();
        try {
            long now = clock.nanoTime();
            List<HeldLimit> own = of(timer);
            may = own.stream().allMatch(each -> each.isFree(timer, now));
            if (may && takes) {
                reserved.put(timer.generation(), endedShares(own));
                own.forEach(each -> each.take(timer, now));
            } else if (!may) {
                asks = refuse(timer, own, now);
            }
            whole = true;
        } finally {
            if (!whole) {
                doubtful = true;
            }
            lock.unlock();
        }
        if (takes || !may) {
            onUse.run();
        }
        if (asks) {
            onDemand.run();
        }
        return may;
    }

    /** Counts a timer that waits for some of these limits. Returns whether more units could help. */
    private static boolean refuse(StoredTimer timer, List<HeldLimit> own, long now) {
        List<HeldLimit> useful = own.stream()
                .filter(each -> own.stream().noneMatch(other -> other.isCrowdedFor(each, timer, now)))
                .toList();
        boolean asks = false;
        for (HeldLimit each : own) {
            if (!each.isFree(timer, now)) {
                each.refuse(timer, now);
                asks |= each.refusals().wantMore();
            }
        }
        useful.forEach(each -> each.want(now));
        return asks;
    }

    private static long endedShares(List<HeldLimit> limits) {
        return limits.stream().mapToLong(HeldLimit::endedShares).sum();
    }

    /** Gives back what a timer held while it was in delivery, or everything if it has not begun. */
    public void ended(StoredTimer timer) {
        if (isLimited()) {
            locked(now -> {
                boolean undone = reserved.remove(timer.generation()) != null;
                of(timer).forEach(each -> {
                    if (undone) {
                        each.undo(timer, now);
                    } else {
                        each.ended(now);
                    }
                });
                return undone;
            });
            onUse.run();
        }
    }

    /**
     * Gives back all permits that no owner names. Called after an error, such as a full heap: then some permits may
     * have been taken that nobody would give back. All limits keep the former count until the owners are counted.
     *
     * @param owners names all timers that hold permits
     */
    public void keepOnly(Consumer<Consumer<StoredTimer>> owners) {
        if (!isLimited()) {
            return;
        }
        locked(now -> {
            Set<Long> begin = new HashSet<>();
            limits.forEach(each -> each.units().beginCount());
            owners.accept(timer -> {
                boolean begins = reserved.containsKey(timer.generation());
                if (begins) {
                    begin.add(timer.generation());
                }
                for (HeldLimit each : limits) {
                    if (each.isOf(timer.content().type())) {
                        each.count(timer, begins, now);
                    }
                }
            });
            reserved.keySet().retainAll(begin);
            limits.forEach(HeldLimit::endCount);
            doubtful = false;
            return true;
        });
        onUse.run();
    }

    /**
     * Returns whether a change broke off in any thread, for example because the heap is full. Then the owner of the
     * permits must call {@link #keepOnly}.
     */
    public boolean isDoubtful() {
        return doubtful;
    }

    /**
     * Notes that the pass has asked all timers that may begin. Permits which it has given back are free, and no timer
     * of the pass can use them. So they are no reason for another pass.
     */
    public void foundNoUse() {
        if (isLimited()) {
            locked(now -> {
                limits.forEach(each -> each.refusals().foundNoUse());
                return true;
            });
        }
    }

    private List<HeldLimit> of(StoredTimer timer) {
        return limits.stream().filter(each -> each.isOf(timer.content().type())).toList();
    }

    /** Returns whether no timer at all may begin now, as the last pass found. */
    public boolean isBlocked() {
        return isLimited()
                && locked(now -> limits.stream()
                        .anyMatch(
                                each -> each.isOfWholeQueue() && each.refusals().areBlocked(now)));
    }

    /** Returns whether a timer of one of these types may begin now, and the last pass had a use for what is free. */
    public boolean mayBeginSome(Set<String> types) {
        return isLimited()
                && locked(now -> types.stream()
                        .anyMatch(type -> limits.stream()
                                .noneMatch(each -> type.equals(each.type())
                                        && each.refusals().areStillRefused(now))));
    }

    /** Returns the types of which no timer may begin now, as the last pass found. */
    public Set<String> blockedTypes() {
        return !isLimited()
                ? new HashSet<>()
                : locked(now -> {
                    Set<String> types = new HashSet<>();
                    for (HeldLimit each : limits) {
                        String type = each.type();
                        if (type != null && each.refusals().areBlocked(now)) {
                            types.add(type);
                        }
                    }
                    return types;
                });
    }

    /** Returns the types of which this pass has refused a timer. Some may have permits again. */
    public Set<String> refusedTypes() {
        return locked(now -> limits.stream()
                .filter(each -> each.refusals().areSomeInPass())
                .map(HeldLimit::type)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet()));
    }

    /** Returns the tenants of which no timer may begin now, as the last pass found. */
    public Set<String> blockedTenants() {
        return !isLimited()
                ? new HashSet<>()
                : locked(now -> {
                    Set<String> tenants = new HashSet<>();
                    limits.forEach(each -> tenants.addAll(each.refusals().blockedTenants(now)));
                    return tenants;
                });
    }

    /**
     * Returns how many timers of a type the node can begin in about a second, by the limits of the type alone; {@link
     * Long#MAX_VALUE} if the type has none.
     */
    public long mostOfType(String type) {
        return least(each -> type.equals(each.type()));
    }

    /** Returns the same for each tenant; {@link Long#MAX_VALUE} if tenants have no limit. */
    public long mostOfTenant() {
        return least(HeldLimit::isByTenant);
    }

    private long least(Predicate<HeldLimit> which) {
        return !isLimited()
                ? Long.MAX_VALUE
                : locked(now -> limits.stream()
                        .filter(which)
                        .mapToLong(HeldLimit::aSecond)
                        .min()
                        .orElse(Long.MAX_VALUE));
    }

    /**
     * Returns how many timers of a type this node may have in delivery at once, by the concurrency limit of the type,
     * or of the queue if the type is null; {@link Integer#MAX_VALUE} without such a limit.
     */
    public int usable(@Nullable String type) {
        return !isLimited()
                ? Integer.MAX_VALUE
                : locked(now -> limits.stream()
                        .filter(each -> !each.isRate() && Objects.equals(each.type(), type))
                        .mapToInt(each -> each.units().usable())
                        .min()
                        .orElse(Integer.MAX_VALUE));
    }

    /** Returns when to try again to begin timers that were refused; {@link Instant#MAX} if none were. */
    public Instant nextTry() {
        if (!isLimited()) {
            return Instant.MAX;
        }
        long nanos = locked(now -> limits.stream()
                .mapToLong(each -> each.refusals().nanosToNextTry(now))
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
                most = each.refusals().waiting(now)
                                > (most == null ? 0 : most.refusals().waiting(now))
                        ? each
                        : most;
            }
            if (most == null) {
                return null;
            }
            Refusals refusals = most.refusals();
            return new PermitWait(
                    most.name.name(), clock.now().minusNanos(now - refusals.sinceNanos()), refusals.waiting(now));
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
        boolean whole = false;
        lock.lock();
        try {
            T result = work.apply(clock.nanoTime());
            whole = true;
            return result;
        } finally {
            if (!whole) {
                doubtful = true;
            }
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
