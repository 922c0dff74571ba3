package dev.duetime.engine.settle;

import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.PostponedException;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerState;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.Fatal;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settings.RetryPolicies;
import dev.duetime.internal.Micros;
import dev.duetime.internal.RetryRule;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.listener.DeadTimer;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settlements of deliveries, by the queue's retention and retry policy. A recurring timer moves on instead of
 * ending. Used by one thread.
 */
public final class Settlements {
    private static final Logger LOG = LoggerFactory.getLogger(Settlements.class);
    private static final Duration UNDECIDED = Duration.ofMinutes(1);
    private static final Duration TICK = Duration.ofNanos(1_000);
    private static final Duration UNTIL_SHOWN_AGAIN = Duration.ofMinutes(1);

    private final QueueSettings queue;
    private final Listeners listeners;
    private final RandomGenerator random;
    private final NextOccurrence occurrences;
    private final UnknownTypes unknownTypes;

    public Settlements(
            QueueSettings queue,
            Listeners listeners,
            RandomGenerator random,
            NextOccurrence occurrences,
            UnknownTypes unknownTypes) {
        this.queue = queue;
        this.listeners = listeners;
        this.random = random;
        this.occurrences = occurrences;
        this.unknownTypes = unknownTypes;
    }

    public Settlement delivered(StoredTimer timer, Envelope envelope, Instant now) {
        listeners.delivered(envelope);
        return ended(timer, TimerState.REACHED, now, envelope.attempt(), timer.failure());
    }

    public Settlement expired(StoredTimer timer, Instant now) {
        listeners.expired(timer, ExpiryReason.DELIVERY_TOO_LATE);
        return ended(timer, TimerState.EXPIRED, now, timer.attempt(), timer.failure());
    }

    /** The occurrence that stands does not come, by its catch-up. */
    Settlement passedOver(StoredTimer timer, @Nullable Instant to, Instant now) {
        listeners.passedOver(timer, to);
        return to == null
                ? over(timer, TimerState.EXPIRED, now, timer.attempt(), timer.failure())
                : occurrences.passedOver(timer, to);
    }

    /**
     * Retries what may still succeed: a retry counts from now, and one that would come after the deadline is not made.
     * What can neither succeed nor expire is dead. What is postponed has not failed.
     */
    public Settlement failed(StoredTimer timer, Envelope envelope, Throwable thrown, Instant now) {
        return failed(timer, envelope, thrown, null, now);
    }

    /**
     * Retries after a delay of its own, if one is given; otherwise as {@link #failed(StoredTimer, Envelope, Throwable,
     * Instant)}.
     */
    public Settlement failed(
            StoredTimer timer, Envelope envelope, Throwable thrown, @Nullable Duration own, Instant now) {
        try {
            return decided(timer, envelope, thrown, own, now);
        } catch (Exception | Error e) {
            // Some object of the user's failed when it was asked; what else was delivered must be written down.
            Fatal.rethrow(e);
            LOG.error(
                    "what becomes of timer {} could not be decided, it is tried again in {}: {}",
                    timer.key(),
                    UNDECIDED,
                    ErrorText.of(e));
            Failure failure = StoredTimers.failure(timer.failure(), thrown, now);
            return new Settlement.Retried(
                    timer.key(), timer.generation(), Micros.ceil(now.plus(UNDECIDED)), envelope.attempt(), failure);
        }
    }

    private Settlement decided(
            StoredTimer timer, Envelope envelope, Throwable thrown, @Nullable Duration own, Instant now) {
        if (thrown instanceof PostponedException postponed) {
            Instant wakeAt = Micros.ceil(now.plus(postponed.delay()));
            return new Settlement.Retried(timer.key(), timer.generation(), wakeAt, timer.attempt(), timer.failure());
        }
        Throwable error = thrown instanceof HandlerException handler ? handler.failure() : thrown;
        boolean hopeless = queue.retries().isHopeless(envelope, error);
        boolean unknown = !hopeless && RetryPolicies.isUnknownType(error);
        Settlement putOff = unknown && !timer.isExpired(now) ? unknownTypes.putOff(timer, error, now) : null;
        if (putOff != null) {
            return putOff;
        }
        RetryRule policy = queue.retries().of(envelope.type());
        StoredTimer failed =
                StoredTimers.withFailure(timer, envelope.attempt(), StoredTimers.failure(timer.failure(), error, now));
        boolean late = timer.isExpired(now);
        if (hopeless || (unknown && !late) || (!late && policy.isExhausted(failed.attempt()))) {
            listeners.failed(envelope, error, null);
            return dead(failed, now);
        }
        Duration delay = own != null ? own : policy.delay(failed.attempt(), error, random);
        Instant retryAt = occurrences.retryAt(timer, Micros.ceil(now.plus(delay)));
        if (late || timer.isExpired(retryAt)) {
            listeners.failed(envelope, error, null);
            listeners.expired(failed, ExpiryReason.RETRY_TOO_LATE);
            return ended(failed, TimerState.EXPIRED, now, failed.attempt(), failed.failure());
        }
        listeners.failed(envelope, error, retryAt);
        return new Settlement.Retried(timer.key(), timer.generation(), retryAt, failed.attempt(), failed.failure());
    }

    /** Puts a timer off that was not tried; no attempt counts. It is read again as soon as its deadline has passed. */
    public Settlement putOff(StoredTimer timer, Instant until) {
        Instant wakeAt = occurrences.retryAt(timer, Micros.ceil(until));
        Instant expiresAt = timer.content().expiresAt();
        Instant late = expiresAt == null ? Instant.MAX : expiresAt.plus(TICK);
        return new Settlement.Retried(
                timer.key(),
                timer.generation(),
                late.isBefore(wakeAt) ? late : wakeAt,
                timer.attempt(),
                timer.failure());
    }

    /**
     * Shows on its row why a timer fails that nothing else is due beside: that may be an outage, and no attempt counts.
     * Once a minute, or when it fails in another way.
     *
     * @return null if the row shows that already
     */
    @Nullable
    public Settlement shown(StoredTimer timer, Throwable thrown, Instant now) {
        Failure before = timer.failure();
        Failure failure = StoredTimers.failure(before, thrown, now);
        boolean isShown = before != null
                && before.error().equals(failure.error())
                && now.isBefore(before.lastAt().plus(UNTIL_SHOWN_AGAIN));
        Instant wakeAt = Objects.requireNonNullElse(timer.wakeAt(), now);
        return isShown
                ? null
                : new Settlement.Retried(timer.key(), timer.generation(), wakeAt, timer.attempt(), failure);
    }

    /** Returns whether a timer has no attempt left though no outcome of the last one was written down. */
    public boolean isExhausted(StoredTimer timer) {
        return queue.retries().of(timer.content().type()).isExhausted(timer.attempt());
    }

    /** The node that made the last attempt vanished, or fewer attempts are allowed since a failure than before. */
    public Settlement exhausted(StoredTimer timer, Instant now) {
        Failure before = timer.failure();
        String attempts = "no attempt is left after " + timer.attempt();
        Failure failure = before == null
                ? new Failure(attempts + ": the node vanished each time while it delivered this", now, now)
                : new Failure(attempts + ", at last " + before.error(), before.firstAt(), before.lastAt());
        return dead(StoredTimers.withFailure(timer, timer.attempt(), failure), now);
    }

    public Settlement dead(StoredTimer timer, Instant now) {
        Failure failure = Objects.requireNonNull(timer.failure(), "failure of a dead timer");
        listeners.dead(new DeadTimer(timer.key(), queue.name(), timer.content(), timer.attempt(), failure));
        Settlement moved = occurrences.after(timer, TimerState.DEAD, failure);
        return moved != null
                ? moved
                : new Settlement.Ended(timer.key(), timer.generation(), TimerState.DEAD, now, timer.attempt(), failure);
    }

    private Settlement ended(StoredTimer timer, TimerState state, Instant now, int attempt, @Nullable Failure failure) {
        Settlement moved = occurrences.after(timer, state, failure);
        return moved != null ? moved : over(timer, state, now, attempt, failure);
    }

    private Settlement over(StoredTimer timer, TimerState state, Instant now, int attempt, @Nullable Failure failure) {
        return queue.retention().isZero()
                ? new Settlement.Deleted(timer.key(), timer.generation())
                : new Settlement.Ended(timer.key(), timer.generation(), state, now, attempt, failure);
    }
}
