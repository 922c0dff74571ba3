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
 * Finds the instants at which a zone's clock comes to certain local times, through all its jumps:
 *
 * <ul>
 *   <li>times that a jump forward leaves out come, as one, when it jumps;
 *   <li>times that a jump back repeats come each time, or the first time only.
 * </ul>
 *
 * Between two jumps the offset is one, so it goes from jump to jump and never counts periods. Thread-safe.
 */
final class ZonedTimes {
    private final LocalTimes times;
    private final ZoneRules zone;
    private final boolean repeated;

    /**
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

    /** Returns the local time up to which all has come: what the clock shows, or showed before it was set back. */
    private LocalDateTime known(Instant from, ZoneOffset offset) {
        LocalDateTime shown = LocalDateTime.ofInstant(from, offset);
        ZoneOffsetTransition jump = lastJump(from);
        if (jump == null) {
            return shown;
        }
        LocalDateTime before = firstNew(jump).minusNanos(1);
        return before.isAfter(shown) ? before : shown;
    }

    /** Returns the first local time after a jump that can still come: not what a jump back repeats, unless that counts. */
    private LocalDateTime firstNew(ZoneOffsetTransition jump) {
        return jump.isOverlap() && !repeated ? jump.getDateTimeBefore() : jump.getDateTimeAfter();
    }

    /** Returns whether one of the times is at the instant of a jump: shown just then, or left out by it. */
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
