package dev.duetime.testkit.fault;

import dev.duetime.Beta;
import dev.duetime.StoreException;
import dev.duetime.store.CollisionException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The faults of one node's calls to its store: which calls fail, and how. Thread-safe. */
@Beta
public final class StoreFaults {
    private final String nodeId;
    private final Runnable crash;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private final List<Fault> faults = new ArrayList<>();
    private final Map<StoreCall, Integer> calls = new EnumMap<>(StoreCall.class);
    private Predicate<StoreCall> unavailable = call -> false;
    private boolean dead;

    public enum Moment {
        BEFORE,
        AFTER
    }

    public enum Effect {
        CRASH,
        FAIL,
        COLLIDE
    }

    private record Fault(StoreCall call, Moment moment, Effect effect) {}

    /**
     * Decides on the calls of one process of a node.
     *
     * @param crash kills the process
     */
    public StoreFaults(String nodeId, Runnable crash) {
        this.nodeId = nodeId;
        this.crash = crash;
    }

    /** Lets the next such call go wrong. */
    public void add(StoreCall call, Moment moment, Effect effect) {
        locked(() -> faults.add(new Fault(call, moment, effect)));
    }

    /** Makes all calls fail that are of this kind, from now on. */
    public void unavailable(Predicate<StoreCall> which) {
        locked(() -> unavailable = which);
    }

    /** Makes all calls end in a crash: the process is gone. */
    public void die() {
        locked(() -> dead = true);
    }

    /** Returns how often the process made such a call, whatever came of it. */
    public int calls(StoreCall call) {
        return locked(() -> calls.getOrDefault(call, 0));
    }

    /** Runs the work, unless a fault comes before it. If a fault comes after it, its result is lost. */
    <R> R call(StoreCall call, Supplier<R> work) {
        locked(() -> calls.merge(call, 1, Integer::sum));
        if (locked(() -> dead)) {
            throw new NodeCrash(nodeId);
        }
        if (locked(() -> unavailable).test(call)) {
            throw failure(call, "store is unavailable");
        }
        strike(call, Moment.BEFORE);
        R result = work.get();
        strike(call, Moment.AFTER);
        return result;
    }

    void run(StoreCall call, Runnable work) {
        call(call, () -> {
            work.run();
            return true;
        });
    }

    private void strike(StoreCall call, Moment moment) {
        if (take(new Fault(call, moment, Effect.CRASH))) {
            crash.run();
            throw new NodeCrash(nodeId);
        }
        if (take(new Fault(call, moment, Effect.COLLIDE))) {
            throw new CollisionException(name(call), "by node " + nodeId, new IOException("deadlock"));
        }
        if (take(new Fault(call, moment, Effect.FAIL))) {
            throw failure(call, moment == Moment.BEFORE ? "no connection" : "the reply was lost");
        }
    }

    private boolean take(Fault fault) {
        return locked(() -> faults.remove(fault));
    }

    private StoreException failure(StoreCall call, String why) {
        return new StoreException(name(call), "by node " + nodeId, new IOException(why));
    }

    private static String name(StoreCall call) {
        return call.name().toLowerCase(Locale.ROOT);
    }

    private <R> R locked(Supplier<R> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
