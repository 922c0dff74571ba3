package dev.duetime.engine.report;

import dev.duetime.Envelope;
import dev.duetime.StoredTimer;
import dev.duetime.internal.Printable;
import dev.duetime.listener.DeadTimer;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.listener.OperatorAction;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log lines about single timers that an operator may have to examine. Of a user's exception only the class is
 * logged: its message may quote the payload. The message is stored with the timer.
 */
final class TimerLog {
    private static final Logger LOG = LoggerFactory.getLogger(TimerLog.class);

    private TimerLog() {}

    static void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {
        LOG.debug(
                "timer {} of queue {} failed in attempt {} with {}; {}",
                envelope.key(),
                Printable.line(envelope.queue()),
                envelope.attempt(),
                error.getClass().getName(),
                retryAt == null ? "no retry" : "retry at " + retryAt);
    }

    static void expired(StoredTimer timer, ExpiryReason reason) {
        LOG.debug(
                "timer {} of queue {} expired at {}: {}",
                timer.key(),
                Printable.line(timer.content().queue()),
                timer.content().expiresAt(),
                reason);
    }

    static void operated(OperatorAction action) {
        String operator = action.operator();
        LOG.info(
                "{} by operator {} on {}{}",
                verb(action),
                operator == null ? "(unknown)" : Printable.line(operator),
                Printable.line(action.subject()),
                action.failed()
                        ? ": failed after " + action.timers() + " timers; these stay changed"
                        : action.timers() == 0 ? "" : ": " + action.timers() + " timers");
    }

    private static String verb(OperatorAction action) {
        return action.kind().name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether each timer that expires is logged. */
    static boolean logsEachExpired() {
        return LOG.isDebugEnabled();
    }

    static void tookTooLong(StoredTimer todo, Duration limit) {
        LOG.warn(
                "step {} of todo {} in queue {} took longer than {} and was interrupted",
                Printable.line(todo.content().step()),
                todo.key(),
                Printable.line(todo.content().queue()),
                limit);
    }

    static void skipped(StoredTimer timer, @Nullable Instant next) {
        LOG.debug(
                "timer {} of queue {} was not delivered at {}; its next occurrence is that of {}",
                timer.key(),
                Printable.line(timer.content().queue()),
                timer.dueAt(),
                next);
    }

    static void dead(DeadTimer timer) {
        if (timer.content() == null) {
            LOG.error(
                    "timer {} cannot be read and ends as DEAD: {}",
                    timer.key(),
                    Printable.line(timer.failure().error()));
            return;
        }
        if (timer.content().recurrence() != null) {
            LOG.warn(
                    "timer {} of queue {} ends its occurrence of {} as dead after {} attempts and moves on;"
                            + " its row says why",
                    timer.key(),
                    Printable.line(timer.queue()),
                    timer.content().dueAt(),
                    timer.attempt());
            return;
        }
        LOG.warn(
                "timer {} of queue {} ends as DEAD after {} attempts; its row says why",
                timer.key(),
                Printable.line(timer.queue()),
                timer.attempt());
    }
}
