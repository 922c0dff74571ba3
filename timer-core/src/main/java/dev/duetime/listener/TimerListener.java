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
 * Watches what becomes of timers; a {@link NodeListener} is also told how the node fares. Each method does nothing unless
 * overridden.
 *
 * <p>{@link #scheduled}, {@link #rejected} and {@link #cancelled} are called in the caller's thread, the others on the
 * engine's: be quick, do not block. What a method throws is logged once per listener and method and harms nothing. Must be
 * thread-safe.
 *
 * <p>What is told of a delivery is told before it is settled, and as often as it happens: a crash or a stale owner can
 * repeat it. With {@link #overtaken} it is told that it changed nothing.
 */
public interface TimerListener {

    /**
     * Called when a schedule was decided, whatever it did. Inside a caller's transaction that is before the commit.
     *
     * @param result what was done
     * @param content what the call said
     */
    default void scheduled(ScheduleResult result, TimerContent content) {}

    /** Called when an envelope was accepted by the publisher. */
    default void delivered(Envelope envelope) {}

    /**
     * Called when the delivery of an envelope failed while others got through, or with an error that is never retried.
     *
     * @param retryAt when it is tried again; null if it is not, because of the error, its attempts or its deadline: then
     *     {@link #dead} or {@link #expired} follows
     */
    default void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {}

    /**
     * Called when a timer ends, or moves on to its next occurrence, because of its deadline, {@code
     * timer.content().expiresAt()}. Called before that is written down, so that no crash can swallow it; a crash, or a
     * reschedule in that moment, may make it untrue or repeat it.
     *
     * @param timer with the attempts and the failure that it ends with
     */
    default void expired(StoredTimer timer, ExpiryReason reason) {}

    /**
     * Returns whether {@link #expired(StoredTimer, ExpiryReason)} is to be called for each timer of a backlog, as by default. If
     * nobody who listens wants that, and these lines are not logged, such a backlog may be cleared without being read, several
     * times as fast, and {@link #expired(String, String, int)} is called instead. Asked when the scheduler is built.
     */
    default boolean wantsEachExpired() {
        return true;
    }

    /**
     * Called when timers of a backlog were ended by their deadline without being read; after that is written down, so that a
     * crash can swallow it.
     *
     * @param type the type of all of them
     * @param count how many
     */
    default void expired(String queue, String type, int count) {}

    /**
     * Called when occurrences of a recurring timer are not delivered, by its {@link CatchUp}: the one that stood, and those
     * up to the next. As {@link #expired}, it is called before that is written down.
     *
     * @param timer with the first occurrence that is passed over
     * @param next the one that it is moved to; null if there is no other
     */
    default void passedOver(StoredTimer timer, @Nullable Instant next) {}

    /** Called when {@code schedule} throws a {@link TimerExpiredException}, on the thread that called it. */
    default void rejected(Timer timer, Instant expiresAt) {}

    /**
     * Called when a timer, or an occurrence of one that recurs, is given up: its attempts are used up, it failed with an
     * error that is never retried, or it cannot be read. What recurs moves on.
     */
    default void dead(DeadTimer timer) {}

    /**
     * Called when the cancellation of one timer was decided, whatever it did. Inside a caller's transaction that is before the
     * commit.
     */
    default void cancelled(TimerKey key, CancelResult result) {}

    /**
     * Called when {@link TimerAdmin#cancel} has cancelled a batch of those that its query finds, after the commit.
     *
     * @param query as it was given
     * @param count how many timers of the batch were cancelled, at least 1
     */
    default void cancelled(TimerQuery query, int count) {}

    /**
     * Called when outcomes were not settled because their timers had been rescheduled, cancelled or settled by another
     * node meanwhile.
     */
    default void overtaken(String queue, int count) {}

    /**
     * Called when a step of a todo has run that does not end it: with its next step, or to run again. As {@link #expired}, it is
     * called before that is written down.
     *
     * @param todo as it stood
     * @param next as it will stand
     */
    default void advanced(StoredTimer todo, StoredTimer next) {}

    /** Called when the handler of a todo took longer than the time limit of its queue; it was interrupted then. */
    default void tookTooLong(StoredTimer todo, Duration limit) {}
}
