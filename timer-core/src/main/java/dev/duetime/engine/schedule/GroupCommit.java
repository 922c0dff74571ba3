package dev.duetime.engine.schedule;

import dev.duetime.Clock;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.CollisionException;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A commit that concurrent calls share. While one caller writes, the others wait. The next caller writes for all that
 * came meanwhile. A lone caller never waits, and each call returns only when its own timers are durable. Two writes at
 * once are no faster: smaller writes cost more than their overlap saves. Thread-safe.
 *
 * <p>A call waits for its own keys only. If another transaction holds a row of a shared write, the write gives up after
 * some tens of milliseconds, and each of its calls is written alone. If a write takes longer for another reason, a
 * caller that has waited as long begins the next write at the same time. Further ones begin ever more rarely, down to
 * one a second: writes that all wait for the same rows must not take the whole pool. A call in the slow write itself
 * cannot leave: the write may still happen, and would undo what the caller schedules next under the key. That wait is
 * bounded. It ends in a failure that says that the outcome is unknown.
 */
public final class GroupCommit {
    /** How long a call waits for the write of others before it begins one of its own. */
    static final Duration PATIENCE = Duration.ofMillis(50);

    /** How much longer a call waits for each further write that is under way. */
    private static final int GROWTH = 4;

    /** How long a call waits at most before it begins a write of its own, however many are under way. */
    private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(1);

    /** How long a call waits for a write that its timers are in. */
    static final Duration LONGEST = Duration.ofSeconds(30);

    /** How long an interrupted call waits for a write that its timers are in. */
    static final Duration LONGEST_INTERRUPTED = Duration.ofSeconds(1);

    /** Larger calls gain nothing by sharing. */
    private static final int SHARED_CALL = 100;

    private static final int SHARED_BATCH = 1_000;

    /** How many bytes a shared write has at most: drivers hold several copies of it. */
    private static final long SHARED_BYTES = 1L << 20;

    private final ScheduleStore store;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** How many calls write each key alone, because another transaction holds its row: others join no shared write. */
    private final Map<TimerKey, Integer> held = new ConcurrentHashMap<>();

    // Mutable state, guarded by lock.
    private final Deque<ScheduleCall> waiting = new ArrayDeque<>();
    private @Nullable ScheduleCall writer;
    private int underWay;
    private long lastBegan;

    public GroupCommit(ScheduleStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        if (timers.size() > SHARED_CALL) {
            return store.schedule(timers);
        }
        if (isHeld(timers)) {
            return writeAlone(timers);
        }
        ScheduleCall call = new ScheduleCall(timers);
        List<ScheduleCall> batch = new ArrayList<>();
        if (begin(call) || awaitTurn(call)) {
            write(call, batch);
        }
        List<ScheduleResult> results = call.results();
        return results != null ? results : writeAlone(timers);
    }

    private boolean isHeld(List<NewTimer> timers) {
        return !held.isEmpty() && timers.stream().anyMatch(each -> held.containsKey(each.key()));
    }

    /**
     * Writes the timers of one call after a shared write failed, which shows nothing about this call. The reply may
     * have been lost after the commit. Then exactly these generations are stored. If they have been delivered since,
     * they were not too late.
     */
    private List<ScheduleResult> writeAlone(List<NewTimer> timers) {
        int holding = 0;
        List<ScheduleResult> results;
        try {
            for (NewTimer each : timers) {
                held.merge(each.key(), 1, Integer::sum);
                holding++;
            }
            results = new ArrayList<>(store.schedule(timers));
        } finally {
            for (int i = 0; i < holding; i++) {
                held.computeIfPresent(timers.get(i).key(), (key, calls) -> calls == 1 ? null : calls - 1);
            }
        }
        for (int i = 0; i < results.size(); i++) {
            ScheduleResult result = results.get(i);
            long generation = timers.get(i).generation();
            if (result.outcome() == ScheduleOutcome.IGNORED && result.generation() == generation) {
                results.set(
                        i,
                        new ScheduleResult(result.key(), ScheduleOutcome.UNCHANGED, TimerState.SCHEDULED, generation));
            }
        }
        return results;
    }

    /** Returns whether the call may write at once; else it is written by another caller, or given a turn. */
    private boolean begin(ScheduleCall call) {
        lock.lock();
        try {
            if (writer == null) {
                writer = call;
                return true;
            }
            waiting.add(call);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits. Returns true if it is this call's turn to write, and false if another call has written its timers.
     *
     * @throws dev.duetime.StoreException if its timers are in a write that does not end
     */
    private boolean awaitTurn(ScheduleCall call) {
        boolean interrupted = false;
        boolean ended = false;
        try {
            long since = clock.nanoTime();
            while (call.isWaiting()) {
                LockSupport.parkNanos(call, PATIENCE.toNanos());
                interrupted |= Thread.interrupted();
                Duration waited = Duration.ofNanos(clock.nanoTime() - since);
                if ((interrupted || waited.compareTo(PATIENCE) >= 0) && takeOver(call, interrupted)) {
                    ended = true;
                    return true;
                }
                if (waited.compareTo(interrupted ? LONGEST_INTERRUPTED : LONGEST) >= 0 && call.isWaiting()) {
                    throw call.unanswered(interrupted);
                }
            }
            ended = true;
            return call.hasTurn();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (!ended) {
                leave(call);
            }
        }
    }

    /** Ends the wait of a call that is given up: no later write includes it, and it does not keep the turn. */
    private void leave(ScheduleCall call) {
        lock.lock();
        try {
            waiting.remove(call);
        } finally {
            lock.unlock();
        }
        handOver(call, 0);
    }

    /** Takes the turn, unless the call is already in a write: the call that has the turn may hang. */
    private boolean takeOver(ScheduleCall call, boolean atOnce) {
        lock.lock();
        try {
            boolean waits = (atOnce || clock.nanoTime() - lastBegan >= patienceNanos()) && waiting.remove(call);
            if (waits) {
                writer = call;
            }
            return waits;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how long after the last write another one may begin at the same time. */
    private long patienceNanos() {
        long nanos = PATIENCE.toNanos();
        for (int i = 1; i < underWay && nanos < LONGEST_PATIENCE.toNanos(); i++) {
            nanos *= GROWTH;
        }
        return Math.min(nanos, LONGEST_PATIENCE.toNanos());
    }

    /**
     * Takes what the call with the turn must write: its own timers, and those of all waiting calls. A call is in the
     * batch before it stops waiting, so that an error loses none.
     */
    private void take(ScheduleCall own, List<ScheduleCall> batch) {
        lock.lock();
        try {
            underWay++;
            batch.add(own);
            own.placeAt(0);
            lastBegan = clock.nanoTime();
            int size = own.timers().size();
            long bytes = own.bytes();
            ScheduleCall next = waiting.peek();
            while (next != null
                    && size + next.timers().size() <= SHARED_BATCH
                    && bytes + next.bytes() <= SHARED_BYTES) {
                next.placeAt(size);
                size += next.timers().size();
                bytes += next.bytes();
                batch.add(next);
                waiting.remove();
                next = waiting.peek();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes a batch.
     *
     * @param batch gets all calls of the write
     */
    private void write(ScheduleCall own, List<ScheduleCall> batch) {
        List<ScheduleResult> results = List.of();
        try {
            take(own, batch);
            List<NewTimer> timers =
                    batch.stream().flatMap(call -> call.timers().stream()).toList();
            // Calls need not be stored together, but the timers of one call must be.
            results = timers.size() == batch.size() ? store.scheduleEach(timers) : store.scheduleShared(timers);
        } catch (CollisionException e) {
            // Each call is written alone, and waits for its own rows.
        } catch (RuntimeException e) {
            if (batch.size() == 1) {
                throw e;
            }
        } finally {
            try {
                handOver(own, 1);
            } finally {
                finish(batch, results);
            }
        }
    }

    /**
     * Gives the turn to the call that has waited longest, unless another call has taken it over. This happens before
     * the others are woken, so that the database is not left idle.
     *
     * @param ended how many writes have ended
     */
    private void handOver(ScheduleCall own, int ended) {
        ScheduleCall next;
        lock.lock();
        try {
            underWay -= ended;
            if (writer != own) {
                return;
            }
            next = waiting.poll();
            writer = next;
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.giveTurn();
        }
    }

    /** Ends the wait of all calls of a batch. Takes no memory, since it may also follow an error. */
    @SuppressWarnings("ForLoopReplaceableByForEach") // An iterator would take memory.
    private static void finish(List<ScheduleCall> batch, List<ScheduleResult> results) {
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).end(results);
        }
    }
}
