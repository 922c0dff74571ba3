package dev.duetime.console.internal.action;

import dev.duetime.TimerQuery;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an operator confirms before an operation on many timers.
 *
 * @param name the name that the form sends back; null if it has none, as from a script
 * @param operation what to do
 * @param query with which timers
 * @param user who confirms it
 * @param to the new due time of a reschedule; null for another operation
 */
public record Question(
        @Nullable String name,
        Operation operation,
        TimerQuery query,
        String user,
        @Nullable Instant to) {

    /** Returns a name that no other question has. */
    public static String newName() {
        return UUID.randomUUID().toString();
    }
}
