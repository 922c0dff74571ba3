package dev.duetime.recurrence;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A series of local times as instants of a zone, through all changes of its clock:
 *
 * <ul>
 *   <li>Times that a jump forward skips come, as one, when the clock jumps.
 *   <li>Times that a jump back repeats come each time, or the first time only.
 * </ul>
 *
 * <p>Between two jumps the offset is constant. So this class goes from jump to jump and never counts periods.
 * Thread-safe.
 */
final class ZonedTimes {
    private final LocalTimes times;
    private final ZoneRules zone;
    private final boolean repeated;

    /**
     * Creates the series.
     *
     * @param repeated whether a time that the clock shows twice counts twice
     */
    ZonedTimes(LocalTimes times, ZoneId zone, boolean repeated) {
        this.times = times;
        this.zone = zone.getRules();
        this.repeated = repeated;
    }

    Optional<Instant> next(Instant after) {
        Instant from = after;
        while (true) {
            ZoneOffset offset = zone.getOffset(from);
            Optional<Instant> next = times.next(known(from, offset)).map(time -> time.toInstant(offset));
            ZoneOffsetTransition jump = zone.nextTransition(from);
            if (next.isEmpty() || jump == null || next.get().isBefore(jump.getInstant())) {
                return next;
            }
            if (isAt(jump)) {
                return Optional.of(jump.getInstant());
            }
            from = jump.getInstant();
        }
    }

    Optional<Instant> latest(Instant notAfter) {
        Instant to = notAfter;
        while (true) {
            ZoneOffset offset = zone.getOffset(to);
            Optional<LocalDateTime> latest = times.latest(LocalDateTime.ofInstant(to, offset));
            ZoneOffsetTransition jump = lastJump(to);
            if (latest.isEmpty() || jump == null || !latest.get().isBefore(firstNew(jump))) {
                return latest.map(time -> time.toInstant(offset));
            }
            if (isAt(jump)) {
                return Optional.of(jump.getInstant());
            }
            to = jump.getInstant().minusNanos(1);
        }
    }

    /**
     * Returns the local time up to which all times have come: what the clock shows, or showed before it was set back.
     */
    private LocalDateTime known(Instant from, ZoneOffset offset) {
        LocalDateTime shown = LocalDateTime.ofInstant(from, offset);
        ZoneOffsetTransition jump = lastJump(from);
        if (jump == null) {
            return shown;
        }
        LocalDateTime before = firstNew(jump).minusNanos(1);
        return before.isAfter(shown) ? before : shown;
    }

    /**
     * Returns the first local time after a jump that can still come. Times that a jump back repeats are included only
     * if they count twice.
     */
    private LocalDateTime firstNew(ZoneOffsetTransition jump) {
        return jump.isOverlap() && !repeated ? jump.getDateTimeBefore() : jump.getDateTimeAfter();
    }

    /** Returns whether a jump skips one of the times, or lands on one. */
    private boolean isAt(ZoneOffsetTransition jump) {
        LocalDateTime first = jump.isGap() ? jump.getDateTimeBefore() : firstNew(jump);
        return times.latest(jump.getDateTimeAfter())
                .filter(time -> !time.isBefore(first))
                .isPresent();
    }

    private @Nullable ZoneOffsetTransition lastJump(Instant to) {
        return zone.previousTransition(to.plusNanos(1));
    }
}
