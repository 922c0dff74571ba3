package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.Payload;
import dev.duetime.PayloadCodec;
import dev.duetime.Timer;
import dev.duetime.engine.schedule.ContextHeaders;
import dev.duetime.engine.schedule.Merging;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.Generations;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerWrites;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores what handlers schedule, by the checks of the scheduler that is built around the engine. Thread-safe. */
public final class HandlerSchedules implements TodoNode.Schedules {
    private final ContextHeaders context;
    private final PayloadCodec codec;
    private final Merging merging;
    private final BiConsumer<List<NewTimer>, List<Merging.Stored>> told;
    private final Consumer<List<NewTimer>> mayBeStored;

    // Mutable state, set once, before anything is scheduled.
    private volatile @Nullable BiFunction<Timer, @Nullable Instant, NewTimer> resolver;
    private volatile UnaryOperator<Payload> limited = UnaryOperator.identity();
    private volatile UnaryOperator<List<NewTimer>> elsewhere = UnaryOperator.identity();

    /**
     * Creates it.
     *
     * @param told is told of what was stored, after the commit
     * @param mayBeStored is told of what may be stored, after a commit that failed
     */
    public HandlerSchedules(
            ContextHeaders context,
            List<QueueSettings> queues,
            Clock clock,
            Generations generations,
            PayloadCodec codec,
            BiConsumer<List<NewTimer>, List<Merging.Stored>> told,
            Consumer<List<NewTimer>> mayBeStored) {
        this.context = context;
        this.codec = codec;
        this.told = told;
        this.mayBeStored = mayBeStored;
        merging = new Merging(queues, clock, generations, codec, this::encode);
    }

    /** Returns what merges timers, by whomever they are scheduled. */
    public Merging merging() {
        return merging;
    }

    public void resolvers(BiFunction<Timer, @Nullable Instant, NewTimer> ofTimers, UnaryOperator<Payload> ofPayloads) {
        resolver = ofTimers;
        limited = ofPayloads;
    }

    /** Sets what stores those that lie in other stores and returns the rest. */
    public void elsewhere(UnaryOperator<List<NewTimer>> others) {
        elsewhere = others;
    }

    @Override
    public List<NewTimer> scheduleElsewhere(List<NewTimer> timers) {
        return elsewhere.apply(timers);
    }

    /** Returns a payload in its stored form, unless it is too large. */
    public Payload encode(Object payload) {
        return limited.apply(Payload.encode(payload, codec));
    }

    @Override
    public NewTimer resolve(Timer timer, @Nullable Instant deadline) {
        NewTimer resolved = Objects.requireNonNull(resolver, "resolver").apply(timer, deadline);
        return context.addTo(List.of(resolved)).get(0);
    }

    @Override
    public List<Merging.Stored> schedule(List<NewTimer> timers, TimerWrites writes) {
        return merging.schedule(timers, writes);
    }

    /** Stores them in a transaction of their own. */
    public List<Merging.Stored> scheduleAlone(List<NewTimer> timers, ScheduleStore store) {
        return merging.schedule(timers, store);
    }

    @Override
    public void scheduled(List<NewTimer> timers, List<Merging.Stored> stored) {
        told.accept(timers, stored);
    }

    @Override
    public void mayBeStored(List<NewTimer> timers) {
        mayBeStored.accept(timers);
    }
}
