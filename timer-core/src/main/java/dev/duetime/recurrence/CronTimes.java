package dev.duetime.recurrence;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.duetime.internal.Errors;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Printable;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * The local times that a cron expression names. The only class that uses cron-utils. It asks cron-utils in UTC, so that
 * the zones of cron-utils are never used. Thread-safe.
 */
final class CronTimes implements LocalTimes {
    private final ExecutionTime times;

    private CronTimes(ExecutionTime times) {
        this.times = times;
    }

    /**
     * Returns the times of an expression.
     *
     * @throws IllegalArgumentException if it is no cron expression with five fields, or cron-utils is missing
     */
    static LocalTimes of(String expression) {
        LocalTimes daily = DailyTimes.of(expression);
        if (daily != null) {
            return daily;
        }
        try {
            CronParser parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
            return new CronTimes(ExecutionTime.forCron(parser.parse(expression).validate()));
        } catch (LinkageError e) {
            throw new LimitException(
                    "expression",
                    "expression needs com.cronutils:cron-utils, which is missing: " + Limits.shown(expression));
        } catch (RuntimeException e) {
            // For malformed input the parser may throw any exception, such as an ArrayIndexOutOfBoundsException.
            throw new LimitException(
                    "expression",
                    "expression must be a cron expression of five fields, such as 0 3 * * *, but was %s: %s"
                            .formatted(Limits.shown(expression), Printable.line(Errors.message(e))));
        }
    }

    @Override
    public Optional<LocalDateTime> next(LocalDateTime after) {
        return times.nextExecution(after.atZone(ZoneOffset.UTC)).map(time -> time.toLocalDateTime());
    }

    @Override
    public Optional<LocalDateTime> latest(LocalDateTime notAfter) {
        return times.lastExecution(notAfter.plusNanos(1).atZone(ZoneOffset.UTC)).map(time -> time.toLocalDateTime());
    }
}
