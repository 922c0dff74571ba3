package dev.duetime.engine.operate;

import dev.duetime.engine.settle.BegunCancels;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.store.TimerVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * A guard between cancelling and delivery. This node does not deliver timers while they are being cancelled, and does
 * not cancel timers that it is delivering. Thread-safe.
 */
public final class CancelGuard {
    private final Supplier<List<InFlight>> loops;

    /**
     * Creates the guard.
     *
     * @param loops the timers in delivery of each running loop of the node
     */
    public CancelGuard(Supplier<List<InFlight>> loops) {
        this.loops = loops;
    }

    /**
     * Cancels, or moves, the timers that recur or are not in delivery here. Until the call ends, none of them is taken
     * into delivery.
     */
    int around(List<TimerVersion> timers, ToIntFunction<List<TimerVersion>> cancel) {
        List<TimerVersion> free = new ArrayList<>(timers.size());
        try (BegunCancels begun = new BegunCancels(loops.get())) {
            for (TimerVersion timer : timers) {
                List<Long> inDelivery = begun.begin(timer.key());
                if (timer.recurs() || !inDelivery.contains(timer.generation())) {
                    free.add(timer);
                }
            }
            return cancel.applyAsInt(free);
        }
    }
}
