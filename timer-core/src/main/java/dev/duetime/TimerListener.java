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
     * Called when the delivery of an envelope failed while others got through.
     *
     * @param retryAt when it is tried again; null if it is not, because attempts or deadline are used up
     */
    default void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {}

    /** Called when a timer's deadline passed before it could be delivered. */
    default void expired(StoredTimer timer) {}

    /**
     * Called when outcomes were not settled because their timers had been rescheduled, cancelled or settled by another
     * node meanwhile.
     */
    default void overtaken(String queue, int count) {}
}
