package dev.duetime.recurrence;

import java.time.LocalDateTime;
import java.util.Optional;

/** A rising series of times on a local clock, without a zone. Thread-safe. */
interface LocalTimes {

    /** Returns the first time after a local time; empty if there is none. */
    Optional<LocalDateTime> next(LocalDateTime after);

    /** Returns the last time at or before a local time; empty if there is none. */
    Optional<LocalDateTime> latest(LocalDateTime notAfter);
}
