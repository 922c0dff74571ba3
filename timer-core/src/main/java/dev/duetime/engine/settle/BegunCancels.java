package dev.duetime.engine.settle;

import dev.duetime.TimerKey;
import dev.duetime.internal.EndSteps;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/**
 * The timers that one call is cancelling, on all loops of a node. Closing it ends exactly what has begun, also if a
 * begin has failed half-way. Otherwise this node would never deliver these timers. Used by one thread.
 */
public final class BegunCancels implements AutoCloseable {
    private final Collection<InFlight> loops;
    private final List<Begun> begun = new ArrayList<>();

    private record Begun(InFlight loop, TimerKey key) {
        void end() {
            loop.endCancel(key);
        }
    }

    /**
     * Creates it; nothing has begun yet.
     *
     * @param loops the timers in delivery of each running loop of the node
     */
    public BegunCancels(Collection<InFlight> loops) {
        this.loops = loops;
    }

    /** Begins to cancel a timer. Returns its generations in delivery: several if it moved from queue to queue. */
    public List<Long> begin(TimerKey key) {
        List<Long> inDelivery = new ArrayList<>();
        for (InFlight each : loops) {
            begin(each, key).ifPresent(inDelivery::add);
        }
        return inDelivery;
    }

    private OptionalLong begin(InFlight loop, TimerKey key) {
        // Noted first: noting it afterwards could fail for want of memory.
        begun.add(new Begun(loop, key));
        try {
            return loop.beginCancel(key);
        } catch (Throwable e) {
            begun.remove(begun.size() - 1);
            throw e;
        }
    }

    @Override
    public void close() {
        EndSteps.each(begun, Begun::end);
    }
}
