package dev.duetime.admin;

import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.recurrence.CatchUp;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a list shows of a timer. Its payload and headers are not there; {@link TimerAdmin#find} reads them. Immutable
 * and thread-safe.
 *
 * @param key its name
 * @param queue where it is delivered
 * @param type the user's name for this kind of timer
 * @param state its present state
 * @param generation the token of the present schedule
 * @param attempt how many deliveries were tried and counted
 * @param dueAt when it is due; if it recurs, its current occurrence
 * @param wakeAt when the engine reads it next: the due time, or the time of a retry; null once it has ended
 * @param settledAt when it ended; null while it is scheduled
 * @param previousAt when the occurrence was due that was delivered last; null if none was, or if it does not recur
 * @param recurrence the text of its recurrence; null for once
 * @param catchUp what becomes of its missed occurrences; null for once
 * @param failure the failures so far; null if there was none
 */
public record TimerSummary(
        TimerKey key,
        String queue,
        String type,
        TimerState state,
        long generation,
        int attempt,
        Instant dueAt,
        @Nullable Instant wakeAt,
        @Nullable Instant settledAt,
        @Nullable Instant previousAt,
        @Nullable String recurrence,
        @Nullable CatchUp catchUp,
        StoredTimer.@Nullable Failure failure) {

    /** Returns the summary of a timer. */
    public static TimerSummary of(StoredTimer timer) {
        TimerContent content = timer.content();
        return new TimerSummary(
                timer.key(),
                content.queue(),
                content.type(),
                timer.state(),
                timer.generation(),
                timer.attempt(),
                content.dueAt(),
                timer.wakeAt(),
                timer.settledAt(),
                timer.previousAt(),
                content.recurrence(),
                content.catchUp(),
                timer.failure());
    }
}
