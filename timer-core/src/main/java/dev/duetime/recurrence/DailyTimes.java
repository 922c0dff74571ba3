package dev.duetime.recurrence;

import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The same local time on each day, in whole minutes. Needs no cron-utils. Immutable and thread-safe. */
record DailyTimes(LocalTime time) implements LocalTimes {
    private static final Pattern EXPRESSION = Pattern.compile("([0-5]?\\d) ([01]?\\d|2[0-3]) \\* \\* \\*");

    /** Returns the cron expression of a time on each day. */
    static String expression(LocalTime time) {
        Limits.given("time", time);
        if (!time.truncatedTo(ChronoUnit.MINUTES).equals(time)) {
            throw new LimitException("time", "time must be in whole minutes but was " + time);
        }
        return time.getMinute() + " " + time.getHour() + " * * *";
    }

    /** Returns the times of a cron expression; null if it names other times than one on each day. */
    static @Nullable DailyTimes of(String expression) {
        Matcher daily = EXPRESSION.matcher(expression);
        return daily.matches()
                ? new DailyTimes(LocalTime.of(Integer.parseInt(daily.group(2)), Integer.parseInt(daily.group(1))))
                : null;
    }

    @Override
    public Optional<LocalDateTime> next(LocalDateTime after) {
        LocalDateTime sameDay = after.toLocalDate().atTime(time);
        return Optional.of(sameDay.isAfter(after) ? sameDay : sameDay.plusDays(1));
    }

    @Override
    public Optional<LocalDateTime> latest(LocalDateTime notAfter) {
        LocalDateTime sameDay = notAfter.toLocalDate().atTime(time);
        return Optional.of(sameDay.isAfter(notAfter) ? sameDay.minusDays(1) : sameDay);
    }
}
