package dev.duetime.recurrence;

import java.time.LocalDateTime;
import java.util.Optional;

/** Is a rising series of times on a local clock, without a zone. Thread-safe. */
interface LocalTimes {

    /** Returns the first one after a local time; empty if none ever comes. */
    Optional<LocalDateTime> next(LocalDateTime after);

    /** Returns the last one at or before a local time; empty if none ever was. */
    Optional<LocalDateTime> latest(LocalDateTime notAfter);
}
