package dev.duetime.passage;

import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.WorkingDays;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of passed days to passed working days. The stored tick knows days only; the holidays are asked when it
 * is delivered.
 */
final class PassedWorkingDays {
    private PassedWorkingDays() {}

    /**
     * Returns the event for a day that has passed; null if it has none.
     *
     * <p>With {@link CatchUp#LATEST} a tick stands for all days since the one that was delivered before. So it has the
     * event of the latest working day among them: a Friday is not lost if the nodes were down until Sunday.
     */
    static @Nullable WorkingDayHasPassed of(DayHasPassed day, CatchUp catchUp, WorkingDays days) {
        Instant before = day.previous();
        LocalDate date = day.date();
        if (catchUp == CatchUp.LATEST && before != null) {
            while (!days.isWorkingDay(date)
                    && end(date.minusDays(1), day.zone()).isAfter(before)) {
                date = date.minusDays(1);
            }
        }
        if (!days.isWorkingDay(date)) {
            return null;
        }
        if (date.equals(day.date())) {
            return new WorkingDayHasPassed(day.now(), before, day.span(), date);
        }
        Span span = new Span(start(date, day.zone()), end(date, day.zone()), day.zone());
        return new WorkingDayHasPassed(span.end(), before, span, date);
    }

    private static Instant start(LocalDate date, ZoneId zone) {
        return date.atStartOfDay(zone).toInstant();
    }

    private static Instant end(LocalDate date, ZoneId zone) {
        return start(date.plusDays(1), zone);
    }
}
