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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets concurrent calls share a commit: one caller writes for all that wait, the next one for all that came meanwhile. A
 * lone caller never waits, and each returns only when its own timers are durable. Thread-safe.
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
        Call call = new Call(timers, lock.newCondition());
        List<Call> batch = awaitTurn(call);
        if (!batch.isEmpty()) {
            write(batch);
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

    /** Waits until the call was written by another caller, or returns the calls that this one is to write. */
    private List<Call> awaitTurn(Call call) {
        lock.lock();
        try {
            waiting.add(call);
            while (writing && !call.over) {
                call.turn.awaitUninterruptibly();
            }
            if (call.over) {
                return List.of();
            }
            writing = true;
            return take(call);
        } finally {
            lock.unlock();
        }
    }

    private List<Call> take(Call own) {
        List<Call> batch = new ArrayList<>();
        batch.add(own);
        waiting.remove(own);
        int size = own.timers.size();
        Call next = waiting.peek();
        while (next != null && size + next.timers.size() <= SHARED_BATCH) {
            batch.add(waiting.remove());
            size += next.timers.size();
            next = waiting.peek();
        }
        return batch;
    }

    private void write(List<Call> batch) {
        List<ScheduleResult> results = List.of();
        try {
            results = store.schedule(
                    batch.stream().flatMap(call -> call.timers.stream()).toList());
        } catch (RuntimeException e) {
            if (batch.size() == 1) {
                throw e;
            }
        } finally {
            finish(batch, results);
        }
    }

    private void finish(List<Call> batch, List<ScheduleResult> results) {
        lock.lock();
        try {
            int from = 0;
            for (Call call : batch) {
                int to = from + call.timers.size();
                call.results = to <= results.size() ? results.subList(from, to) : null;
                call.over = true;
                call.turn.signal();
                from = to;
            }
            writing = false;
            Call next = waiting.peek();
            if (next != null) {
                next.turn.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private static final class Call {
        final List<NewTimer> timers;
        final Condition turn;
        volatile @Nullable List<ScheduleResult> results;
        boolean over;

        Call(List<NewTimer> timers, Condition turn) {
            this.timers = timers;
            this.turn = turn;
        }
    }
}
