package dev.duetime.engine.report;

import dev.duetime.Envelope;
import dev.duetime.internal.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The warnings about types of timers whose delivery fails. The first failure of a type is logged at once, and then at
 * most one failure of it in {@link #SPAN}. Of the exception, its class and its place are logged, but never its message.
 * Thread-safe.
 */
final class FailureLog {
    /** The shortest time between two lines about one type, by the times at which its timers were delivered. */
    static final Duration SPAN = Duration.ofMinutes(1);

    /** Bounds memory and lines: types after these share one entry. */
    static final int MOST_TYPES = 100;

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

    // Mutable state, guarded by this.
    private final Map<Kind, Failures> failures = new HashMap<>();

    /** Timers of one type on one queue; both are empty for all that share one entry. */
    private record Kind(String queue, String type) {}

    /** When failures of a kind were logged last, and how many have not been logged since. */
    private record Failures(Instant loggedAt, int others) {}

    void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {
        Failures before = note(envelope);
        if (before == null) {
            return;
        }
        LOG.warn(
                "timer {} of type {} in queue {} failed in attempt {}, {}: {}{}",
                envelope.key(),
                Printable.line(envelope.type()),
                Printable.line(envelope.queue()),
                envelope.attempt(),
                retryAt == null ? "no retry" : "retry at " + retryAt,
                ErrorText.of(error),
                before.others == 0
                        ? ""
                        : "; " + before.others + " others of its type have failed since " + before.loggedAt);
    }

    /** Returns the failures since the last line if another line is due, else null. */
    private synchronized @Nullable Failures note(Envelope envelope) {
        Instant now = envelope.event().reachedAt();
        Kind kind = new Kind(envelope.queue(), envelope.type());
        if (!failures.containsKey(kind) && failures.size() >= MOST_TYPES) {
            kind = new Kind("", "");
        }
        Failures before = failures.get(kind);
        // If the last time is later, the clock was ahead for a while.
        boolean isRecent = before != null
                && !now.isBefore(before.loggedAt.minus(SPAN))
                && now.isBefore(before.loggedAt.plus(SPAN));
        if (before != null && isRecent) {
            failures.put(kind, new Failures(before.loggedAt, before.others + 1));
            return null;
        }
        failures.put(kind, new Failures(now, 0));
        return before == null ? new Failures(now, 0) : before;
    }
}
