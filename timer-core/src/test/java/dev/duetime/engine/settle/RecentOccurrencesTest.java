package dev.duetime.engine.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.engine.settle.RecentOccurrences.Count;
import dev.duetime.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of the count of recent occurrences: what it finds, and how many steps it takes. */
class RecentOccurrencesTest {
    private static final Instant NOW = Instant.parse("2030-06-01T12:00:30Z");
    private static final Instant LONG_AGO = NOW.minus(Duration.ofDays(30));
    private static final int MOST = RecentOccurrences.MOST;

    private final RecentOccurrences recent = new RecentOccurrences();
    private final Recurrence minutes = Recurrence.every(Duration.ofMinutes(1));
    private int steps;

    private Count count(Recurrence recurrence, Instant dueAt, Instant now) {
        return Objects.requireNonNull(count(recurrence, dueAt, now, Integer.MAX_VALUE));
    }

    private @Nullable Count count(Recurrence recurrence, Instant dueAt, Instant now, int most) {
        steps = 0;
        return recent.count(recurrence.toString(), recurrence, dueAt, now, () -> steps++ < most);
    }

    private static Instant oldest(Recurrence recurrence, Instant now) {
        List<Instant> latest = new ArrayList<>();
        Instant notAfter = now;
        while (latest.size() < MOST) {
            Instant each = recurrence.latest(notAfter).orElseThrow();
            latest.add(each);
            notAfter = each.minusNanos(1_000);
        }
        return latest.get(MOST - 1);
    }

    @Test
    void ofMoreThanTheLimitTheMostRecentAreLeft() {
        Count count = count(minutes, LONG_AGO, NOW);
        assertThat(count.skippedTo(LONG_AGO)).isEqualTo(oldest(minutes, NOW));
        assertThat(count.skippedTo(oldest(minutes, NOW))).isNull();
        assertThat(count.skippedTo(oldest(minutes, NOW).minusSeconds(60))).isNotNull();
    }

    @Test
    void aTimerThatMissedFewTakesFewSteps() {
        Instant dueAt = NOW.minusSeconds(30 + 5 * 60);
        assertThat(count(minutes, dueAt, NOW).skippedTo(dueAt)).isNull();
        assertThat(steps).isLessThanOrEqualTo(6);
    }

    @Test
    void anotherTimerOfTheRecurrenceTakesNoStep() {
        count(minutes, LONG_AGO, NOW);
        Count again = count(minutes, LONG_AGO.plusSeconds(60), NOW.plusSeconds(1));
        assertThat(again.skippedTo(LONG_AGO)).isEqualTo(oldest(minutes, NOW));
        assertThat(steps).isZero();
    }

    @Test
    void onlyWhatHasComeSinceIsAdded() {
        count(minutes, LONG_AGO, NOW);
        Instant later = NOW.plusSeconds(120);
        assertThat(count(minutes, LONG_AGO, later).skippedTo(LONG_AGO)).isEqualTo(oldest(minutes, later));
        assertThat(steps).isEqualTo(2);
    }

    @Test
    void anInterruptedCountGoesOnWhereItEnded() {
        Instant now = NOW;
        int total = 0;
        Count count = count(minutes, LONG_AGO, now, 100);
        while (count == null) {
            total += steps;
            now = now.plusSeconds(7);
            count = count(minutes, LONG_AGO, now, 100);
        }
        assertThat(total + steps).isBetween(MOST, MOST + 50);
        assertThat(count.skippedTo(LONG_AGO)).isEqualTo(oldest(minutes, now));
    }

    @Test
    void anOldCountBeginsAnew() {
        count(minutes, LONG_AGO, NOW);
        Instant later = NOW.plus(Duration.ofDays(3));
        assertThat(count(minutes, LONG_AGO, later).skippedTo(LONG_AGO)).isEqualTo(oldest(minutes, later));
        assertThat(steps).isLessThanOrEqualTo(MOST);
    }

    @Test
    void theHourThatTheClockRepeatsCountsTwice() {
        Recurrence cron = Recurrence.cron("*/10 * * * *", ZoneId.of("Europe/Berlin"));
        Instant change = Instant.parse("2030-10-27T01:00:00Z");
        Instant dueAt = change.minus(Duration.ofDays(30));
        count(cron, dueAt, change.minusSeconds(600));
        Instant later = change.plusSeconds(300);
        assertThat(count(cron, dueAt, later).skippedTo(dueAt)).isEqualTo(oldest(cron, later));
    }

    @Test
    void aRecurrenceWithoutOccurrencesSkipsNothing() {
        Recurrence never = Recurrence.cron("0 0 30 2 *", ZoneId.of("UTC"));
        assertThat(count(never, LONG_AGO, NOW).skippedTo(LONG_AGO)).isNull();
    }
}
