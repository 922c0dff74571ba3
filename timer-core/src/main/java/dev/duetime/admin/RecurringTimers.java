package dev.duetime.admin;

import dev.duetime.TimerKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of scheduled timers that recur. Immutable and thread-safe.
 *
 * @param timers the timers, in order of their keys
 * @param next the key after which the next page begins; null if this is the last page. A page may be short, or empty,
 *     and not be the last
 */
public record RecurringTimers(
        List<TimerSummary> timers, @Nullable TimerKey next) {

    /** Copies the timers. */
    public RecurringTimers {
        timers = List.copyOf(timers);
    }
}
