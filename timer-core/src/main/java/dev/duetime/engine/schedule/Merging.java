package dev.duetime.engine.schedule;

import dev.duetime.Clock;
import dev.duetime.Payload;
import dev.duetime.PayloadCodec;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerState;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settings.TimerMerge;
import dev.duetime.engine.settings.TimerMerge.Decision;
import dev.duetime.engine.settle.Generations;
import dev.duetime.internal.RetryTurns;
import dev.duetime.internal.Times;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.internal.timer.TimerContents;
import dev.duetime.store.CollisionException;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerWrites;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The merge of a scheduled timer with the waiting timer of its tenant and correlation key, in the transaction that
 * stores it. It first locks the key, whether there is a timer of it or not. So of two calls that race on a new key, at
 * least one sees the other's timer. Thread-safe.
 */
public final class Merging {
    private final Map<String, QueueSettings> queues = new HashMap<>();
    /** Each try may hold a connection for a second. */
    public static final int RETRIES_AT_ONCE = 2;

    private final MergeTurns turns = new MergeTurns();
    private final RetryTurns retries;
    private final Clock clock;
    private final Generations generations;
    private final PayloadCodec codec;
    private final Function<Object, Payload> encoder;

    /**
     * Creates the merge of a node's queues.
     *
     * @param encoder encodes what is merged, and refuses what is too large
     */
    public Merging(
            List<QueueSettings> queues,
            Clock clock,
            Generations generations,
            PayloadCodec codec,
            Function<Object, Payload> encoder) {
        queues.forEach(each -> this.queues.put(each.name(), each));
        this.clock = clock;
        retries = new RetryTurns(RETRIES_AT_ONCE, clock::nanoTime);
        this.generations = generations;
        this.codec = codec;
        this.encoder = encoder;
    }

    /**
     * The result of storing one timer.
     *
     * @param result for the caller
     * @param written how the timer stands that the result names, if this wrote it or left it scheduled
     */
    public record Stored(ScheduleResult result, NewTimer written) {}

    /** Returns whether any of the timers may be merged. */
    public boolean concerns(List<NewTimer> timers) {
        return timers.stream().anyMatch(each -> merge(each) != null);
    }

    private @Nullable TimerMerge merge(NewTimer timer) {
        QueueSettings queue = queues.get(timer.content().queue());
        return queue == null || timer.content().correlationKey() == null
                ? null
                : queue.merges().get(timer.content().type());
    }

    /** Stores the timers in the given order, in a transaction of their own, and again if another one was in the way. */
    public List<Stored> schedule(List<NewTimer> timers, ScheduleStore store) {
        Set<String> keys = keys(timers);
        if (keys.size() != 1) {
            return scheduleNow(timers, store);
        }
        MergeTurns.Turn turn = turns.await(
                keys.iterator().next(), () -> timers.size() == 1 ? timers.get(0).key() : timers.size() + " timers");
        try {
            return scheduleNow(timers, store);
        } finally {
            turn.close();
        }
    }

    private List<Stored> scheduleNow(List<NewTimer> timers, ScheduleStore store) {
        try (CollisionRetry retry = new CollisionRetry(clock, retries)) {
            while (true) {
                try (OwnTransaction transaction = store.begin()) {
                    transaction.waitBriefly();
                    List<Stored> stored = schedule(timers, transaction.writes());
                    transaction.commit();
                    return stored;
                } catch (CollisionException e) {
                    retry.after(e);
                }
            }
        }
    }

    /** Returns the correlation keys, with their queues, of the timers that may be merged. */
    public Set<String> keys(List<NewTimer> timers) {
        Set<String> keys = new HashSet<>();
        for (NewTimer each : timers) {
            if (merge(each) != null) {
                keys.add(each.content().queue() + " " + each.content().correlationKey());
            }
        }
        return keys;
    }

    /** Stores the timers in the given order, in a transaction. */
    public List<Stored> schedule(List<NewTimer> timers, TimerWrites writes) {
        lock(timers, writes);
        List<Stored> stored = new ArrayList<>(timers.size());
        List<NewTimer> plain = new ArrayList<>();
        for (NewTimer timer : timers) {
            TimerMerge merge = merge(timer);
            if (merge == null) {
                plain.add(timer);
            } else {
                stored.addAll(insert(plain, writes));
                plain.clear();
                stored.add(offer(timer, merge, writes));
            }
        }
        stored.addAll(insert(plain, writes));
        return stored;
    }

    private void lock(List<NewTimer> timers, TimerWrites writes) {
        Map<String, Set<String>> keys = new TreeMap<>();
        for (NewTimer timer : timers) {
            String key = timer.content().correlationKey();
            if (key != null && merge(timer) != null) {
                keys.computeIfAbsent(timer.content().queue(), queue -> new TreeSet<>())
                        .add(key);
            }
        }
        keys.forEach((queue, locked) -> writes.correlated().lock(queue, locked));
    }

    private static List<Stored> insert(List<NewTimer> timers, TimerWrites writes) {
        if (timers.isEmpty()) {
            return List.of();
        }
        List<ScheduleResult> results = writes.schedule(List.copyOf(timers));
        List<Stored> stored = new ArrayList<>(timers.size());
        for (int i = 0; i < results.size(); i++) {
            stored.add(new Stored(results.get(i), timers.get(i)));
        }
        return stored;
    }

    private Stored offer(NewTimer timer, TimerMerge merge, TimerWrites writes) {
        Optional<StoredTimer> existing = writes.find(timer.key());
        String key = timer.content().correlationKey();
        // A repeat is not merged: the result of the first call stays.
        boolean repeat = existing.isPresent() && isRepeat(existing.get().state(), timer.rearm());
        if (repeat || key == null) {
            return insert(List.of(timer), writes).get(0);
        }
        Optional<StoredTimer> waiting = writes.correlated()
                .waiting(
                        timer.content().queue(),
                        timer.key().tenantId(),
                        key,
                        timer.content().type())
                // What is over never runs, and what merged into it would be lost.
                .filter(each -> !each.isExpired(timer.registeredAt()));
        Decision decision = waiting.isEmpty() ? new Decision.Insert() : decide(merge, waiting.get(), timer);
        if (waiting.isEmpty() || decision instanceof Decision.Insert) {
            return insert(List.of(timer), writes).get(0);
        }
        remember(timer, writes);
        return decision instanceof Decision.Keep keep
                ? keep(waiting.get(), content(waiting.get(), keep), timer, writes)
                : new Stored(result(waiting.get(), ScheduleOutcome.DROPPED), timer);
    }

    private static boolean isRepeat(TimerState existing, boolean rearm) {
        return existing == TimerState.SCHEDULED || (existing != TimerState.CANCELLED && !rearm);
    }

    private static StoredTimer arriving(NewTimer timer) {
        return new StoredTimer(
                timer.key(),
                timer.shard(),
                timer.content(),
                TimerState.SCHEDULED,
                timer.generation(),
                0,
                timer.content().dueAt(),
                timer.registeredAt(),
                null,
                null,
                null);
    }

    private TimerContent content(StoredTimer waiting, Decision.Keep keep) {
        TimerContent content = waiting.content();
        return TimerContents.merged(
                content, keep.dueAt(), keep.expiresAt(), keep.priority(), encoder.apply(keep.payload()));
    }

    private Decision decide(TimerMerge merge, StoredTimer waiting, NewTimer timer) {
        Decision decision;
        try {
            decision = merge.merge(StoredTimers.readBy(waiting, codec), arriving(timer));
        } finally {
            UserCode.clearInterruptOfEngine(); // From here on the store is written.
        }
        if (decision == null) {
            throw new IllegalStateException("the merge of type %s returned nothing (timer %s)"
                    .formatted(timer.content().type(), timer.key()));
        }
        return decision;
    }

    private Stored keep(StoredTimer waiting, TimerContent kept, NewTimer arriving, TimerWrites writes) {
        // One that has failed keeps waiting for its retry.
        Instant retryAt = waiting.attempt() > 0 ? waiting.wakeAt() : null;
        Instant wakeAt = retryAt == null ? kept.dueAt() : Times.later(kept.dueAt(), retryAt);
        StoredTimer next =
                StoredTimers.advanced(waiting, generations.next(), kept, wakeAt, waiting.attempt(), waiting.failure());
        boolean withPayload = !kept.payload().equals(waiting.content().payload());
        if (writes.settle(List.of(new Settlement.Advanced(waiting.generation(), next, withPayload))) == 0) {
            throw new IllegalStateException("a locked timer was changed: " + waiting.key());
        }
        NewTimer written = new NewTimer(
                waiting.key(),
                waiting.shard(),
                kept,
                next.generation(),
                arriving.registeredAt(),
                arriving.rearm(),
                arriving.routingKey());
        return new Stored(result(next, ScheduleOutcome.MERGED), written);
    }

    private static ScheduleResult result(StoredTimer waiting, ScheduleOutcome outcome) {
        return new ScheduleResult(waiting.key(), outcome, TimerState.SCHEDULED, waiting.generation());
    }

    /** Keeps the key of a todo that is not stored itself, so that a repeat of the call is not merged again. */
    private void remember(NewTimer timer, TimerWrites writes) {
        QueueSettings queue = queues.get(timer.content().queue());
        if (queue != null && !queue.retention().isZero()) {
            writes.schedule(List.of(timer));
            writes.settle(List.of(new Settlement.Ended(
                    timer.key(), timer.generation(), TimerState.REACHED, timer.registeredAt(), 0, null)));
        }
    }
}
