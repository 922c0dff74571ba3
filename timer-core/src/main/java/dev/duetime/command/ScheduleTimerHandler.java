package dev.duetime.command;

import dev.duetime.MalformedMessageException;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerExpiredException;
import dev.duetime.Timers;
import dev.duetime.internal.Errors;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;

/**
 * A handler that schedules what {@link ScheduleTimer} commands, as bytes from any broker, ask for. Thread-safe.
 *
 * <p>Acknowledge a message only after {@link #handle} has returned: the timer is durable then. A {@link
 * MalformedMessageException} will be thrown again for the same bytes, so terminate such a message; a {@link
 * StoreException} calls for redelivery, which is safe, since the command is idempotent.
 */
public final class ScheduleTimerHandler {
    private final Timers timers;

    /** Creates a handler that schedules on the given scheduler, or on its view in a transaction. */
    public ScheduleTimerHandler(Timers timers) {
        this.timers = Limits.given("timers", timers);
    }

    /**
     * Schedules the timer that the command asks for.
     *
     * @param command JSON in UTF-8
     * @return what was done
     * @throws MalformedMessageException if the command is not JSON, a field is missing or malformed, its queue is
     *     unknown, its payload too large, or it recurs by a cron expression and cron-utils is not there; names the
     *     field
     * @throws TimerExpiredException if the timer's deadline has passed: it came too late, terminate the message
     * @throws StoreException if the database failed; the timer may or may not be stored
     */
    public ScheduleResult handle(byte[] command) {
        Timer timer = ScheduleTimer.parse(command);
        try {
            return timers.schedule(timer);
        } catch (LimitException e) {
            throw new MalformedMessageException(e.field(), String.valueOf(Errors.message(e)));
        }
    }
}
