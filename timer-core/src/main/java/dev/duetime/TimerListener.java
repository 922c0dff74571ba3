package dev.duetime;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Watches what becomes of timers. Called on the engine's threads: be quick, do not block. What a method throws is logged
 * once and harms nothing. Must be thread-safe.
 */
public interface TimerListener {

    /** Called when an envelope was accepted by the publisher. */
    default void delivered(Envelope envelope) {}

    /**
     * Called when the delivery of an envelope failed while others got through, or with an error that is never retried.
     *
     * @param retryAt when it is tried again; null if it is not, because of the error, its attempts or its deadline
     */
    default void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {}

    /**
     * Called when a timer ends because of its deadline, {@code timer.content().expiresAt()}. Called before that is written
     * down, so that no crash can swallow it; a crash, or a reschedule in that moment, may make it untrue or repeat it.
     *
     * @param timer with the attempts and the failure that it ends with
     */
    default void expired(StoredTimer timer, ExpiryReason reason) {}

    /** Called when {@code schedule} throws a {@link TimerExpiredException}, on the thread that called it. */
    default void rejected(Timer timer, Instant expiresAt) {}

    /**
     * Called when outcomes were not settled because their timers had been rescheduled, cancelled or settled by another
     * node meanwhile.
     */
    default void overtaken(String queue, int count) {}
}
