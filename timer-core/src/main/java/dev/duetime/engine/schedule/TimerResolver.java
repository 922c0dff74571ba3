package dev.duetime.engine.schedule;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerExpiredException;
import dev.duetime.TimerKey;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.settings.ContentRules;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.settle.Generations;
import dev.duetime.internal.Inside;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.internal.StableHash;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.draft.TimerDraft;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleDecision;
import dev.duetime.store.TimerWrites;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The step from a timer, as a caller describes it, to a row to store: it checks the content, and adds the deadline, the
 * shard, a generation and the caller's headers. It writes nothing. Thread-safe.
 */
public final class TimerResolver {
    private final ContentRules rules;
    private final ContentResolver contents;
    private final Listeners listeners;
    private final ContextHeaders context;
    private final Generations generations;
    private final Queues queues;
    private final TimerWrites store;
    private final Supplier<Instant> now;

    /** The queues of a node. Thread-safe. */
    public interface Queues {
        /** Returns whether this node knows the queue. */
        boolean knows(String queue);

        /** Returns the names of the queues that this node knows. */
        Set<String> queues();

        /** Returns how many shards the queue has; a queue that this node knows and that is not there yet is created. */
        int shards(String queue);
    }

    /**
     * Creates a resolver.
     *
     * @param store where a handler's timers may be already
     * @param now returns the time
     */
    public TimerResolver(
            NodeSettings node, Generations generations, Queues queues, TimerWrites store, Supplier<Instant> now) {
        this.rules = node.rules();
        this.contents = new ContentResolver(rules);
        this.listeners = node.listeners();
        this.context = new ContextHeaders(node.propagation());
        this.generations = generations;
        this.queues = queues;
        this.store = store;
        this.now = now;
    }

    /**
     * Resolves and checks all timers, before anything is written.
     *
     * @param writes where they may be stored already, and will be
     * @throws IllegalArgumentException if a timer is invalid, or its queue unknown
     * @throws TimerExpiredException if the deadline of a timer has passed, and the timer is no repeat
     */
    public List<NewTimer> resolve(Collection<Timer> timers, TimerWrites writes) {
        Instant at = now.get();
        List<NewTimer> resolved = new ArrayList<>(timers.size());
        for (Timer timer : timers) {
            resolved.add(resolve(timer, null, at, writes));
        }
        return resolved.isEmpty() ? resolved : context.addTo(resolved);
    }

    /**
     * Resolves a timer that a handler schedules.
     *
     * @param deadline the deadline of the handler's todo, which the timer inherits; null if it has none
     */
    public NewTimer resolve(Timer timer, @Nullable Instant deadline) {
        return context.addTo(List.of(resolve(timer, deadline, now.get(), store)))
                .get(0);
    }

    private NewTimer resolve(Timer given, @Nullable Instant inherited, Instant at, TimerWrites writes) {
        UserCode.clearInterruptOfEngine();
        Timer timer = Limits.given("timer", given);
        String queue = timer.queue();
        if (!queues.knows(queue)) {
            throw new LimitException(
                    "queue",
                    "queue must be one of %s but was %s (timer %s)"
                            .formatted(queues.queues(), Limits.shown(queue), timer.key()));
        }
        TimerContent content = contents.content(timer, at, inherited);
        UserCode.clearInterruptOfEngine(); // The codec may have left it behind, and the store is called next.
        TimerDraft draft = Inside.of(timer, TimerDraft.class);
        String routingKey = draft.routingKey();
        int shards = queues.shards(queue);
        NewTimer resolved = new NewTimer(
                timer.key(),
                (int) Long.remainderUnsigned(hash(timer.key(), routingKey), shards),
                content,
                generations.next(),
                at,
                draft.rearm(),
                shards == 1 ? queue : routingKey);
        refuseExpired(timer, resolved, at, writes);
        return resolved;
    }

    private static long hash(TimerKey key, @Nullable String routingKey) {
        return routingKey == null
                ? StableHash.of(key.tenantId(), key.timerId(), key.scope())
                : StableHash.of(routingKey);
    }

    /** A timer that repeats a stored one is not refused: the store answers as for any repeat. */
    private void refuseExpired(Timer timer, NewTimer resolved, Instant at, TimerWrites writes) {
        Instant expiresAt = resolved.content().expiresAt();
        if (expiresAt != null && at.isAfter(expiresAt) && !isRepeat(resolved, writes)) {
            listeners.rejected(timer, expiresAt);
            throw new TimerExpiredException(timer.key(), timer.type(), expiresAt);
        }
    }

    private static boolean isRepeat(NewTimer timer, TimerWrites writes) {
        StoredTimer stored = writes.find(timer.key()).orElse(null);
        return !ScheduleDecision.writes(ScheduleDecision.of(timer, stored));
    }

    /**
     * Returns the payload of a todo in its stored form.
     *
     * @throws IllegalArgumentException if it is too large
     */
    public Payload encode(Object payload) {
        Payload encoded = Payload.encode(payload, rules.codec());
        UserCode.clearInterruptOfEngine();
        return rules.checked(encoded, "todo");
    }
}
