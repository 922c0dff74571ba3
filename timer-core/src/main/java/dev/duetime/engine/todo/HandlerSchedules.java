package dev.duetime.engine.todo;

import dev.duetime.Payload;
import dev.duetime.Timer;
import dev.duetime.engine.schedule.Merging;
import dev.duetime.engine.schedule.TimerResolver;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerWrites;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The timers that handlers schedule. Thread-safe. */
public final class HandlerSchedules implements TodoNode.Schedules {
    private final TimerResolver resolver;
    private final UnaryOperator<NewTimer> placement;
    private final Merging merging;
    private final BiConsumer<List<NewTimer>, List<Merging.Stored>> stored;
    private final Consumer<List<NewTimer>> mayBeStored;

    // Mutable state, set once, before anything is scheduled.
    private volatile UnaryOperator<List<NewTimer>> elsewhere = UnaryOperator.identity();

    /**
     * Creates the schedules.
     *
     * @param placement returns a timer in the shard where it shall be stored
     * @param stored called with timers that are stored, after the commit
     * @param mayBeStored called with timers that may be stored, after a commit that failed
     */
    public HandlerSchedules(
            TimerResolver resolver,
            UnaryOperator<NewTimer> placement,
            Merging merging,
            BiConsumer<List<NewTimer>, List<Merging.Stored>> stored,
            Consumer<List<NewTimer>> mayBeStored) {
        this.resolver = resolver;
        this.placement = placement;
        this.merging = merging;
        this.stored = stored;
        this.mayBeStored = mayBeStored;
    }

    /** Sets the function that stores the timers of other stores. It returns the timers of this store. */
    public void elsewhere(UnaryOperator<List<NewTimer>> others) {
        elsewhere = others;
    }

    @Override
    public List<NewTimer> scheduleElsewhere(List<NewTimer> timers) {
        return elsewhere.apply(timers);
    }

    /** Returns a payload in its stored form, unless it is too large. */
    public Payload encode(Object payload) {
        return resolver.encode(payload);
    }

    @Override
    public NewTimer resolve(Timer timer, @Nullable Instant deadline) {
        return placement.apply(resolver.resolve(timer, deadline));
    }

    @Override
    public Set<String> keys(List<NewTimer> timers) {
        return merging.keys(timers);
    }

    @Override
    public List<Merging.Stored> schedule(List<NewTimer> timers, TimerWrites writes) {
        return merging.schedule(timers, writes);
    }

    /** Stores timers in a transaction of their own. */
    public List<Merging.Stored> scheduleAlone(List<NewTimer> timers, ScheduleStore store) {
        return merging.schedule(timers, store);
    }

    @Override
    public void scheduled(List<NewTimer> timers, List<Merging.Stored> results) {
        stored.accept(timers, results);
    }

    @Override
    public void mayBeStored(List<NewTimer> timers) {
        mayBeStored.accept(timers);
    }
}
