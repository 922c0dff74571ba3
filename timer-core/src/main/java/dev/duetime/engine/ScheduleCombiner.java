package dev.duetime.engine;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets concurrent calls share a commit: while one caller writes, the others wait, and the next one writes for all that came
 * meanwhile. A lone caller never waits, and each returns only when its own timers are durable. Two that write at once are no
 * faster: smaller writes cost more than overlapping them saves. Thread-safe.
 */
final class ScheduleCombiner {
    /** Larger calls gain nothing by sharing. */
    private static final int SHARED_CALL = 100;

    private static final int SHARED_BATCH = 1_000;

    private final ScheduleStore store;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final Deque<Call> waiting = new ArrayDeque<>();
    private boolean writing;

    ScheduleCombiner(ScheduleStore store) {
        this.store = store;
    }

    List<ScheduleResult> schedule(List<NewTimer> timers) {
        if (timers.size() > SHARED_CALL) {
            return store.schedule(timers);
        }
        Call call = new Call(timers);
        if (begin(call) || call.awaitTurn()) {
            write(take(call));
        }
        List<ScheduleResult> results = call.results;
        return results != null ? results : repeat(timers);
    }

    /**
     * Writes alone what a shared write failed to, which tells nothing about this call. Its reply may have been lost after the
     * commit: then these very generations stand, and if they have been delivered since, they were not too late.
     */
    private List<ScheduleResult> repeat(List<NewTimer> timers) {
        List<ScheduleResult> results = new ArrayList<>(store.schedule(timers));
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
    private boolean begin(Call call) {
        lock.lock();
        try {
            boolean mayWrite = !writing;
            writing = true;
            if (!mayWrite) {
                waiting.add(call);
            }
            return mayWrite;
        } finally {
            lock.unlock();
        }
    }

    /** Returns what a call is to write whose turn it is: its own timers, and those of all that wait. */
    private List<Call> take(Call own) {
        List<Call> batch = new ArrayList<>();
        batch.add(own);
        lock.lock();
        try {
            int size = own.timers.size();
            Call next = waiting.peek();
            while (next != null && size + next.timers.size() <= SHARED_BATCH) {
                batch.add(waiting.remove());
                size += next.timers.size();
                next = waiting.peek();
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void write(List<Call> batch) {
        List<ScheduleResult> results = List.of();
        try {
            List<NewTimer> timers =
                    batch.stream().flatMap(call -> call.timers.stream()).toList();
            // Calls need not stand or fall together, but the timers of one call must.
            results = timers.size() == batch.size() ? store.scheduleEach(timers) : store.schedule(timers);
        } catch (RuntimeException e) {
            if (batch.size() == 1) {
                throw e;
            }
        } finally {
            handOver();
            finish(batch, results);
        }
    }

    /** Gives the turn to who has waited longest; before the others are woken, so that the database is not left idle. */
    private void handOver() {
        Call next;
        lock.lock();
        try {
            next = waiting.poll();
            writing = next != null;
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.wake(Call.State.TURN);
        }
    }

    private static void finish(List<Call> batch, List<ScheduleResult> results) {
        int from = 0;
        for (Call call : batch) {
            int to = from + call.timers.size();
            call.results = to <= results.size() ? results.subList(from, to) : null;
            call.wake(Call.State.OVER);
            from = to;
        }
    }

    private static final class Call {
        final List<NewTimer> timers;
        volatile @Nullable List<ScheduleResult> results;
        private final Thread caller = Thread.currentThread();
        private volatile State state = State.WAITING;

        enum State {
            WAITING,
            TURN,
            OVER
        }

        Call(List<NewTimer> timers) {
            this.timers = timers;
        }

        void wake(State reason) {
            state = reason;
            if (caller != Thread.currentThread()) {
                LockSupport.unpark(caller);
            }
        }

        /** Waits, whatever interrupts it, and returns whether it is this call's turn to write; else it was written. */
        boolean awaitTurn() {
            boolean interrupted = false;
            while (state == State.WAITING) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                caller.interrupt();
            }
            return state == State.TURN;
        }
    }
}
