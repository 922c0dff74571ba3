package dev.duetime.engine.todo;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.UnknownTypeException;
import dev.duetime.engine.loop.TimeLimit;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settings.QueueHandler;
import dev.duetime.internal.Errors;
import dev.duetime.internal.Printable;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.todo.Outcome;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of a queue's handler. A call is interrupted when it takes too long or when the node loses the shard. One
 * worker runs the calls; any thread may interrupt them.
 */
final class HandlerCall {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerCall.class);

    private final TodoNode node;
    private final QueueHandler handler;
    private final UserCode userCode;
    private final TimeLimit limit;

    /**
     * Creates the calls of a worker.
     *
     * @param userCode calls code of the user, and knows whether the queue is being closed
     * @param limit interrupts the calls
     */
    HandlerCall(TodoNode node, HandlerSettings settings, UserCode userCode, TimeLimit limit) {
        this.node = node;
        this.handler = settings.handler();
        this.userCode = userCode;
        this.limit = limit;
    }

    /**
     * The result of a call.
     *
     * @param end how the call ended
     * @param outcome the outcome for the todo; null if the call was no attempt
     */
    record Result(End end, @Nullable Outcome outcome) {}

    /** The ways in which a call can end. */
    enum End {
        /** The handler returned. */
        RETURNED,
        /** The handler threw, which is a failed attempt. */
        THREW,
        /** The node has lost the shard, so the next owner runs the todo. This was no attempt. */
        LOST_SHARD,
        /** The time limit passed before the handler got a transaction. This was no attempt. */
        GOT_NO_TRANSACTION,
        /** The handler threw, and the connection of its transaction was lost. */
        LOST_CONNECTION
    }

    /** Returns why this node cannot run the todo; null if it can. */
    @Nullable
    UnknownTypeException unknown(StoredTimer todo) {
        try {
            handler.check(todo);
            return null;
        } catch (UnknownTypeException e) {
            return e;
        }
    }

    /**
     * Runs the handler.
     *
     * @throws InterruptedException if the queue is being closed and the handler has given up because of that
     * @throws StoreException if the handler threw because the store gave it no transaction
     */
    Result run(StoredTimer todo, TodoAttempt attempt) throws InterruptedException {
        StoredTimer readable = StoredTimers.readBy(todo, node.codec());
        Duration longest = limit.begin(todo.shard());
        boolean late;
        Answer<Outcome> answer;
        try {
            answer = userCode.call(() -> outcome(readable, attempt));
        } finally {
            attempt.end();
            late = limit.end();
        }
        Throwable error = answer.error();
        if (error != null && limit.hasLostShard()) {
            return new Result(End.LOST_SHARD, null);
        }
        if (error != null && answer.isInterrupted() && !late) {
            throw new InterruptedException("interrupted by close while the handler ran");
        }
        StoreException away = attempt.failure();
        if (error != null && away != null) {
            throw away;
        }
        if (late && longest != null) {
            node.listeners().tookTooLong(todo, longest);
        }
        if (error == null) {
            return new Result(End.RETURNED, answer.value());
        }
        if (late && attempt.isWaitInterrupted()) {
            return new Result(End.GOT_NO_TRANSACTION, null);
        }
        if (late && longest != null && error instanceof InterruptedException) {
            return new Result(End.THREW, failed(todo, tookTooLong(todo, longest, error)));
        }
        boolean lost = !late && attempt.hasLostConnection();
        return new Result(lost ? End.LOST_CONNECTION : End.THREW, failed(todo, error));
    }

    private Outcome outcome(StoredTimer todo, TodoAttempt attempt) throws Exception {
        Outcome outcome = handler.handle(todo, attempt);
        if (outcome == null) {
            throw new IllegalStateException("the handler of type %s returned no outcome"
                    .formatted(todo.content().type()));
        }
        return outcome;
    }

    private static TimeoutException tookTooLong(StoredTimer todo, Duration longest, Throwable cause) {
        TimeoutException timeout = new TimeoutException("step %s took longer than %s and was interrupted"
                .formatted(todo.content().step(), longest));
        timeout.initCause(cause);
        return timeout;
    }

    /**
     * Returns the outcome of a failed attempt. The handler may decide how long to wait; an illegal delay is ignored.
     * Whatever goes wrong meanwhile, the attempt has failed.
     */
    Outcome.Retry failed(StoredTimer todo, Throwable error) {
        Outcome.Retry retry = Outcome.retry(error);
        Answer<Outcome.Retry> decided = userCode.call(() -> withOwnDelay(retry, todo, error));
        return Objects.requireNonNullElse(decided.value(), retry);
    }

    private Outcome.Retry withOwnDelay(Outcome.Retry retry, StoredTimer todo, Throwable error) {
        Answer<Duration> answer =
                userCode.call(() -> handler.retryDelay(StoredTimers.readBy(todo, node.codec()), error));
        Duration delay = answer.value();
        String why = answer.error() == null ? "" : ErrorText.of(answer.error());
        if (delay == null && answer.error() == null) {
            return retry;
        }
        if (delay != null) {
            try {
                return retry.after(delay);
            } catch (IllegalArgumentException e) {
                why = String.valueOf(Errors.message(e)); // The message names the limit and the delay.
            }
        }
        LOG.warn(
                "the retry policy decides the delay of a todo of type {} in queue {}, since its handler failed to: {}",
                Printable.line(todo.content().type()),
                node.queue().name(),
                why);
        return retry;
    }

    /** Interrupts the call if it takes too long; returns how long it may still take. */
    Duration checkLimit() {
        return limit.check();
    }

    /** Interrupts the call if the node no longer owns the shard of its todo. */
    void ownsOnly(Set<Integer> owned) {
        limit.ownsOnly(owned);
    }
}
