package dev.duetime.engine.todo;

import dev.duetime.Envelope;
import dev.duetime.Payload;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerContent;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.settle.Generations;
import dev.duetime.engine.settle.MissedOccurrences;
import dev.duetime.engine.settle.Settlements;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Micros;
import dev.duetime.internal.Times;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.internal.timer.TimerContents;
import dev.duetime.store.Settlement;
import dev.duetime.todo.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The translation of a handler's outcome into what is written to the store. Used by one thread. */
public final class TodoOutcomes {
    private static final Logger LOG = LoggerFactory.getLogger(TodoOutcomes.class);
    /**
     * The shortest delay until a step runs again. Without it, a todo that runs again at once would keep the database
     * busy.
     */
    private static final Duration SOONEST = Duration.ofMillis(1);

    private static final String NOT_STARTED = "the database refuses to note its start: ";
    /** How long a todo waits whose start is refused: as long as it has waited so far, within these bounds. */
    private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final Settlements settlements;
    private final MissedOccurrences missed;
    private final Generations generations;
    private final Function<Object, Payload> encoder;
    private final Listeners listeners;

    /**
     * Creates the translation.
     *
     * @param encoder encodes payloads, and refuses those that are too large
     */
    public TodoOutcomes(
            Settlements settlements,
            MissedOccurrences missed,
            Generations generations,
            Function<Object, Payload> encoder,
            Listeners listeners) {
        this.settlements = settlements;
        this.missed = missed;
        this.generations = generations;
        this.encoder = encoder;
        this.listeners = listeners;
    }

    Settlement expired(StoredTimer todo, Instant now) {
        return settlements.expired(todo, now);
    }

    /** Returns the settlement of a missed occurrence that its catch-up skips; null if the occurrence runs. */
    @Nullable
    Settlement skipped(StoredTimer todo, Instant now) {
        missed.begin();
        return missed.instead(todo, now);
    }

    boolean isExhausted(StoredTimer todo) {
        return settlements.isExhausted(todo);
    }

    Settlement exhausted(StoredTimer todo, Instant now) {
        return settlements.exhausted(todo, now);
    }

    /** Returns the settlement of a todo that this node does not run. */
    Settlement failed(StoredTimer todo, Envelope envelope, Throwable error, Instant now) {
        return settlements.failed(todo, envelope, error, now);
    }

    /**
     * Returns the settlement of a todo whose start the database refuses to note, for example because of a trigger. It
     * runs later, and this was no attempt. The row itself stores since when it waits.
     */
    Settlement notStarted(StoredTimer todo, StoreException refusal, Instant now) {
        Failure before = todo.failure();
        boolean waits = before != null
                && before.error().startsWith(NOT_STARTED)
                && now.isBefore(before.lastAt().plus(LONGEST_WAIT).plus(LONGEST_WAIT));
        Instant since = before != null && waits ? before.firstAt() : now;
        if (!waits) {
            LOG.warn(
                    "the database refuses to note the start of todo {} of queue {}; retrying later: {}",
                    todo.key(),
                    todo.content().queue(),
                    ErrorText.of(refusal));
        }
        Duration waited = Duration.between(since, now);
        Duration delay = waited.compareTo(SHORTEST_WAIT) < 0
                ? SHORTEST_WAIT
                : waited.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : waited;
        Failure failure = new Failure(
                NOT_STARTED + StoredTimers.failure(null, refusal, now).error(), since, now);
        return new Settlement.Retried(
                todo.key(), todo.generation(), Micros.ceil(now.plus(delay)), todo.attempt(), failure);
    }

    /**
     * Returns the settlements of an outcome, to be written in this order in one transaction.
     *
     * @param envelope the attempt
     * @throws RuntimeException if the new payload cannot be encoded, or is too large
     */
    List<Settlement> all(StoredTimer todo, Envelope envelope, Outcome outcome, Instant now) {
        Payload payload = encoded(todo, outcome.payload());
        Settlement last = of(todo, envelope, outcome, now);
        if (outcome.payload() == null || !(last instanceof Settlement.Ended ended)) {
            return List.of(last);
        }
        // The payload may note what steps have done. This counts if an operator revives the todo.
        Instant place = todo.wakeAt() == null ? now : todo.wakeAt();
        TimerContent content = TimerContents.withPayload(todo.content(), payload);
        StoredTimer noted =
                StoredTimers.advanced(todo, generations.next(), content, place, todo.attempt(), todo.failure());
        return List.of(
                new Settlement.Advanced(todo.generation(), noted, true),
                new Settlement.Ended(
                        ended.key(), noted.generation(), ended.state(), ended.at(), ended.attempt(), ended.failure()));
    }

    private Settlement of(StoredTimer todo, Envelope envelope, Outcome outcome, Instant now) {
        if (outcome instanceof Outcome.Next next) {
            // The todo keeps its place before later ones, also if it is read again.
            Instant place = todo.wakeAt() == null ? now : todo.wakeAt();
            return advanced(todo, next.step(), todo.dueAt(), place, next.payload(), 0, null);
        }
        if (outcome instanceof Outcome.Again again) {
            Instant startAt = Times.later(Micros.ceil(startAt(again, now)), Micros.ceil(now.plus(SOONEST)));
            return advanced(
                    todo, todo.content().step(), startAt, startAt, again.payload(), todo.attempt(), todo.failure());
        }
        if (outcome instanceof Outcome.Retry retry) {
            Payload payload = encoded(todo, retry.payload());
            Settlement failed = settlements.failed(todo, envelope, retry.error(), retry.delay(), now);
            return failed instanceof Settlement.Retried again && retry.payload() != null
                    ? retried(todo, again, payload)
                    : failed;
        }
        if (outcome instanceof Outcome.GiveUp gaveUp) {
            Failure before = todo.failure();
            Failure failure = new Failure("given up: " + gaveUp.reason(), before == null ? now : before.firstAt(), now);
            return settlements.dead(StoredTimers.withFailure(todo, envelope.attempt(), failure), now);
        }
        return settlements.delivered(todo, envelope, now);
    }

    private static Instant startAt(Outcome.Again again, Instant now) {
        Instant startAt = again.startAt();
        return startAt != null
                ? startAt
                : Limits.instant("startAt", now.plus(Objects.requireNonNull(again.delay(), "delay")));
    }

    private Settlement advanced(
            StoredTimer todo,
            @Nullable String step,
            Instant startAt,
            Instant wakeAt,
            @Nullable Object payload,
            int attempt,
            @Nullable Failure failure) {
        TimerContent content = TimerContents.advanced(todo.content(), step, startAt, encoded(todo, payload));
        StoredTimer next = StoredTimers.advanced(todo, generations.next(), content, wakeAt, attempt, failure);
        listeners.advanced(todo, next);
        return new Settlement.Advanced(todo.generation(), next, payload != null);
    }

    private Settlement retried(StoredTimer todo, Settlement.Retried retried, Payload payload) {
        TimerContent content = TimerContents.withPayload(todo.content(), payload);
        StoredTimer next = StoredTimers.advanced(
                todo, generations.next(), content, retried.wakeAt(), retried.attempt(), retried.failure());
        return new Settlement.Advanced(todo.generation(), next, true);
    }

    private Payload encoded(StoredTimer todo, @Nullable Object payload) {
        return payload == null ? todo.content().payload() : encoder.apply(payload);
    }
}
