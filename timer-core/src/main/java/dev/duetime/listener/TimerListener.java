package dev.duetime.listener;

import dev.duetime.CancelResult;
import dev.duetime.Envelope;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerExpiredException;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.recurrence.CatchUp;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A listener for what happens to timers. A {@link NodeListener} also observes the node. Each method does nothing unless
 * overridden.
 *
 * <p>{@link #scheduled}, {@link #rejected} and {@link #cancelled} are called in the caller's thread, the others in
 * threads of the engine: be quick and do not block. If a method throws, this is logged once for each listener and
 * method, and has no other effect. Must be thread-safe.
 *
 * <p>Events of a delivery are reported before it is settled, and each time they happen: a crash or a stale owner can
 * repeat them. {@link #overtaken} reports outcomes that changed nothing.
 */
public interface TimerListener {

    /**
     * Called after each schedule, whatever its outcome. Inside a caller's transaction it is called before the commit.
     *
     * @param result the outcome
     * @param content the content of the call
     */
    default void scheduled(ScheduleResult result, TimerContent content) {}

    /** Called when the publisher or handler accepted an envelope. */
    default void delivered(Envelope envelope) {}

    /**
     * Called when a delivery failed while others got through, or with an error that is never retried.
     *
     * @param retryAt when it is retried; null if it is not, because of the error, its attempts or its deadline. Then
     *     {@link #dead} or {@link #expired} follows
     */
    default void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {}

    /**
     * Called when a timer ends, or moves on to its next occurrence, because of its deadline, {@code
     * timer.content().expiresAt()}. It is called before this is written, so a crash cannot lose the call. But a crash
     * can repeat the call, and a reschedule at that moment can make it untrue.
     *
     * @param timer with the attempts and the failure that it ends with
     */
    default void expired(StoredTimer timer, ExpiryReason reason) {}

    /**
     * Returns whether {@link #expired(StoredTimer, ExpiryReason)} must be called for each timer of a backlog; true by
     * default. If no listener wants that, and no log line is written for each, such a backlog may be cleared without
     * being read, which is several times as fast. Then {@link #expired(String, String, int)} is called instead. Asked
     * when the scheduler is built.
     */
    default boolean wantsEachExpired() {
        return true;
    }

    /**
     * Called when timers of a backlog were ended by their deadline without being read. It is called after the write, so
     * a crash can lose the call.
     *
     * @param type the type of all of them
     * @param count how many
     */
    default void expired(String queue, String type, int count) {}

    /**
     * Called when occurrences of a recurring timer are skipped, because of its {@link CatchUp}: the current occurrence,
     * and those up to the next one. Like {@link #expired}, it is called before this is written.
     *
     * @param timer with the first occurrence that is skipped
     * @param next the occurrence that it moves to; null if there is none
     */
    default void skipped(StoredTimer timer, @Nullable Instant next) {}

    /** Called when {@code schedule} throws a {@link TimerExpiredException}, in the thread of the caller. */
    default void rejected(Timer timer, Instant expiresAt) {}

    /**
     * Called when a timer, or an occurrence of a recurring timer, is given up: its attempts are used up, it failed with
     * an error that is never retried, or it cannot be read. A recurring timer moves on.
     */
    default void dead(DeadTimer timer) {}

    /**
     * Called after each cancellation of one timer, whatever its result. Inside a caller's transaction it is called
     * before the commit.
     */
    default void cancelled(TimerKey key, CancelResult result) {}

    /**
     * Called when {@link TimerAdmin#cancel} has cancelled a batch of the timers that its query finds, after the commit.
     *
     * @param query the query of the call
     * @param count how many timers of the batch were cancelled, at least 1
     */
    default void cancelled(TimerQuery query, int count) {}

    /**
     * Called when outcomes changed nothing, because their timers had been rescheduled, cancelled or settled by another
     * node meanwhile.
     */
    default void overtaken(String queue, int count) {}

    /**
     * Called when a step of a todo has run and the todo continues with its next step, or by running again. Like {@link
     * #expired}, it is called before this is written.
     *
     * @param todo the todo before the step
     * @param next the todo after the step
     */
    default void advanced(StoredTimer todo, StoredTimer next) {}

    /** Called when the handler of a todo exceeded the time limit of its queue and was interrupted. */
    default void tookTooLong(StoredTimer todo, Duration limit) {}
}
