package dev.duetime.engine;

import dev.duetime.Envelope;
import dev.duetime.Micros;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerState;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Turns what became of a delivery into what is written down, by the queue's retention and retry policy. */
final class Outcomes {
    private final QueueSettings queue;
    private final Listeners listeners;
    private final RandomGenerator random;

    Outcomes(QueueSettings queue, Listeners listeners, RandomGenerator random) {
        this.queue = queue;
        this.listeners = listeners;
        this.random = random;
    }

    Settlement delivered(StoredTimer timer, Envelope envelope, Instant now) {
        listeners.delivered(envelope);
        return ended(timer, TimerState.REACHED, now, envelope.attempt(), timer.failure());
    }

    Settlement expired(StoredTimer timer, Instant now) {
        listeners.expired(timer);
        return ended(timer, TimerState.EXPIRED, now, timer.attempt(), timer.failure());
    }

    /** A retry counts from now; one that would come after the deadline is not made. */
    Settlement failed(StoredTimer timer, Envelope envelope, Throwable error, Instant now) {
        Failure failure = Failure.next(timer.failure(), error, now);
        Instant retryAt = Micros.ceil(now.plus(queue.retry().delay(envelope.attempt(), random)));
        if (timer.isExpired(retryAt)) {
            listeners.failed(envelope, error, null);
            listeners.expired(timer);
            return ended(timer, TimerState.EXPIRED, now, envelope.attempt(), failure);
        }
        if (queue.retry().isExhausted(envelope.attempt())) {
            listeners.failed(envelope, error, null);
            return new Settlement.Ended(
                    timer.key(), timer.generation(), TimerState.DEAD, now, envelope.attempt(), failure);
        }
        listeners.failed(envelope, error, retryAt);
        return new Settlement.Retried(timer.key(), timer.generation(), retryAt, envelope.attempt(), failure);
    }

    /** The last attempts were not survived by the nodes that made them. */
    Settlement vanished(StoredTimer timer, Instant now) {
        Failure failure = Failure.next(
                timer.failure(), new IllegalStateException("the node vanished while it delivered this"), now);
        return new Settlement.Ended(timer.key(), timer.generation(), TimerState.DEAD, now, timer.attempt(), failure);
    }

    private Settlement ended(StoredTimer timer, TimerState state, Instant now, int attempt, @Nullable Failure failure) {
        return queue.retention().isZero()
                ? new Settlement.Deleted(timer.key(), timer.generation())
                : new Settlement.Ended(timer.key(), timer.generation(), state, now, attempt, failure);
    }
}
