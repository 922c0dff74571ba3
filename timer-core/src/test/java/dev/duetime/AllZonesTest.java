package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.recurrence.CalendarUnit;
import dev.duetime.recurrence.Recurrence;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of the calendar against simple truths, in all zones, mostly around their clock changes. */
@ExtendWith(Elsewhere.class)
class AllZonesTest {
    private static final int SAMPLES = 12;
    private static final int NEAR_SECONDS = 100_000;
    private static final Instant FROM = Instant.parse("1850-01-01T00:00:00Z");
    /** Since then all offsets are whole minutes. So steps of one minute visit every local time. */
    private static final Instant WHOLE_MINUTES = Instant.parse("1975-01-01T00:00:00Z");

    private static final Instant TO = Instant.parse("2100-01-01T00:00:00Z");

    private final long seed = Long.getLong("duetime.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void periodsFollowEachOtherWithoutGapOrOverlap() {
        forAll(FROM, (zone, time) -> {
            for (CalendarUnit unit : CalendarUnit.values()) {
                Recurrence recurrence = Recurrence.each(unit, zone);
                Instant start = recurrence.latest(time).orElseThrow();
                Instant end = recurrence.next(time).orElseThrow();

                assertThat(start).as("start of %s", recurrence).isBeforeOrEqualTo(time);
                assertThat(end).as("end of %s", recurrence).isAfter(time);
                assertThat(recurrence.next(start))
                        .as("%s after start", recurrence)
                        .hasValue(end);
                assertThat(recurrence.latest(end)).as("%s at end", recurrence).hasValue(end);
                assertThat(recurrence.latest(end.minusNanos(1)))
                        .as("%s before end", recurrence)
                        .hasValue(start);
            }
        });
    }

    @Test
    void whereALongPeriodEndsTheShorterOnesEndToo() {
        forAll(FROM, (zone, time) -> {
            for (CalendarUnit unit : CalendarUnit.values()) {
                CalendarUnit part = switch (unit) {
                    case MINUTE, HOUR -> CalendarUnit.MINUTE;
                    case DAY -> CalendarUnit.HOUR;
                    case WEEK, MONTH -> CalendarUnit.DAY;
                    case QUARTER -> CalendarUnit.MONTH;
                    case YEAR -> CalendarUnit.QUARTER;
                };
                Instant end = Recurrence.each(unit, zone).next(time).orElseThrow();

                assertThat(Recurrence.each(part, zone).latest(end))
                        .as("%s of %s", part, unit)
                        .hasValue(end);
            }
        });
    }

    @Test
    void anHourEndsAtTheNextFullHourOrAtAJump() {
        forAll(WHOLE_MINUTES, (zone, time) -> {
            Instant end = Recurrence.each(CalendarUnit.HOUR, zone).next(time).orElseThrow();
            Instant minute = time.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES);
            while (!isFullHour(zone, minute)) {
                minute = minute.plus(1, ChronoUnit.MINUTES);
            }

            assertThat(end).isEqualTo(minute);
        });
    }

    @Test
    void aDayEndsWhenTheClockFirstShowsALaterDate() {
        forAll(WHOLE_MINUTES, (zone, time) -> {
            Recurrence days = Recurrence.each(CalendarUnit.DAY, zone);
            Instant start = days.latest(time).orElseThrow();
            Instant end = days.next(time).orElseThrow();
            LocalDate date = start.atZone(zone).toLocalDate();

            assertThat(end.atZone(zone).toLocalDate()).isAfter(date);
            for (Instant each = start; each.isBefore(end); each = each.plus(15, ChronoUnit.MINUTES)) {
                assertThat(each.atZone(zone).toLocalDate()).isBeforeOrEqualTo(date);
            }
            assertThat(end.minusNanos(1).atZone(zone).toLocalDate()).isBeforeOrEqualTo(date);
        });
    }

    private static boolean isFullHour(ZoneId zone, Instant time) {
        ZonedDateTime shown = time.atZone(zone);
        if (shown.getMinute() == 0) {
            return true;
        }
        ZonedDateTime before = time.minusNanos(1).atZone(zone);
        return shown.toLocalDateTime().truncatedTo(ChronoUnit.HOURS).isAfter(before.toLocalDateTime());
    }

    private void forAll(Instant from, Law law) {
        for (String id : new TreeSet<>(ZoneId.getAvailableZoneIds())) {
            ZoneId zone = ZoneId.of(id);
            for (int i = 0; i < SAMPLES; i++) {
                Instant time = sample(zone, from);
                try {
                    law.check(zone, time);
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("seed " + seed + " (-Dduetime.seed), " + id + " at " + time, e);
                }
            }
        }
    }

    /** Returns a random time, a time near a clock change of the zone, or the instant of the change. */
    private Instant sample(ZoneId zone, Instant from) {
        long span = TO.getEpochSecond() - from.getEpochSecond();
        Instant time = from.plusSeconds(random.nextLong(span)).plusNanos(random.nextInt(1_000_000_000));
        ZoneOffsetTransition jump = zone.getRules().nextTransition(time);
        if (jump == null || jump.getInstant().isAfter(TO) || random.nextInt(4) == 0) {
            return time;
        }
        return switch (random.nextInt(4)) {
            case 0 -> jump.getInstant();
            case 1 -> jump.getInstant().minusNanos(1);
            default -> jump.getInstant().plusSeconds(random.nextInt(2 * NEAR_SECONDS) - NEAR_SECONDS);
        };
    }

    @FunctionalInterface
    private interface Law {
        void check(ZoneId zone, Instant time);
    }
}
