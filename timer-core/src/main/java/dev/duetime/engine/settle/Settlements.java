package dev.duetime.engine.settle;

import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.PostponedException;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerState;
import dev.duetime.engine.report.DeliveryRing;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settings.RetryPolicies;
import dev.duetime.internal.Micros;
import dev.duetime.internal.RetryRule;
import dev.duetime.internal.UserCode;
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
    private final DeliveryRing delivered;
    private final RandomGenerator random;
    private final NextOccurrence occurrences;
    private final UnknownTypes unknownTypes;

    public Settlements(
            QueueSettings queue,
            Listeners listeners,
            DeliveryRing delivered,
            RandomGenerator random,
            NextOccurrence occurrences,
            UnknownTypes unknownTypes) {
        this.queue = queue;
        this.listeners = listeners;
        this.delivered = delivered;
        this.random = random;
        this.occurrences = occurrences;
        this.unknownTypes = unknownTypes;
    }

    public Settlement delivered(StoredTimer timer, Envelope envelope, Instant now) {
        listeners.delivered(envelope);
        delivered.delivered(timer.dueAt(), now);
        return ended(timer, TimerState.REACHED, now, envelope.attempt(), timer.failure());
    }

    public Settlement expired(StoredTimer timer, Instant now) {
        listeners.expired(timer, ExpiryReason.DELIVERY_TOO_LATE);
        return ended(timer, TimerState.EXPIRED, now, timer.attempt(), timer.failure());
    }

    /** The catch-up skips the current occurrence. */
    Settlement skipped(StoredTimer timer, @Nullable Instant to, Instant now) {
        listeners.skipped(timer, to);
        occurrences.skips(timer);
        return to == null
                ? over(timer, TimerState.EXPIRED, now, timer.attempt(), timer.failure())
                : occurrences.skipped(timer, to);
    }

    /**
     * Returns a retry if the timer may still succeed. The delay counts from now, and no retry is made after the
     * deadline. A timer that can neither succeed nor expire is dead. A postponed timer has not failed.
     */
    public Settlement failed(StoredTimer timer, Envelope envelope, Throwable thrown, Instant now) {
        return failed(timer, envelope, thrown, null, now);
    }

    /**
     * Returns a retry after the given delay, if there is one; otherwise as {@link #failed(StoredTimer, Envelope,
     * Throwable, Instant)}.
     */
    public Settlement failed(
            StoredTimer timer, Envelope envelope, Throwable thrown, @Nullable Duration own, Instant now) {
        try {
            return decided(timer, envelope, thrown, own, now);
        } catch (Exception | Error e) {
            // The user's retry policy or exception failed when it was called. The other outcomes of the batch must
            // still be written.
            UserCode.rethrowFatal(e);
            LOG.error(
                    "the outcome of timer {} could not be decided; retrying in {}: {}",
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
            return putOff(timer, now.plus(postponed.delay()));
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

    /**
     * Puts off a timer that was not tried. No attempt counts. It is read again at the latest when its deadline has
     * passed.
     */
    public Settlement.Retried putOff(StoredTimer timer, Instant until) {
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
     * Returns a settlement that stores why the timer fails, while nothing else is due. That may be an outage, so no
     * attempt counts. It is written once a minute, or when the failure changes.
     *
     * @return null if the row already shows the failure
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

    /** Returns whether a timer has no attempt left although no outcome of the last one was written. */
    public boolean isExhausted(StoredTimer timer) {
        return queue.retries().of(timer.content().type()).isExhausted(timer.attempt());
    }

    /**
     * Ends a timer without attempts. Either the node of its last attempt vanished, or fewer attempts are allowed than
     * before.
     */
    public Settlement exhausted(StoredTimer timer, Instant now) {
        Failure before = timer.failure();
        String attempts = "no attempt is left after " + timer.attempt();
        Failure failure = before == null
                ? new Failure(attempts + ": each time the node vanished during the delivery", now, now)
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
