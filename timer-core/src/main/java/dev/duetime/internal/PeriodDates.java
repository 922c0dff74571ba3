package dev.duetime.internal;

import java.time.Instant;
import java.time.LocalDate;

/** The inside of a recurrence by the calendar: the dates at which its periods begin. Thread-safe. */
public interface PeriodDates {
    /**
     * Returns the first date of the period that contains an instant, by the zone's clock; for minutes and hours, their
     * date.
     */
    LocalDate firstDate(Instant time);
}
