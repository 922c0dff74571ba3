package dev.duetime.recurrence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalRecurrenceTest {

    @ParameterizedTest
    @CsvSource({
        "PT10M, 1970-01-01T00:00:00Z, 2026-11-21T10:15:00Z, 2026-11-21T10:10:00Z, 2026-11-21T10:20:00Z",
        "PT10M, 1970-01-01T00:00:00Z, 2026-11-21T10:20:00Z, 2026-11-21T10:20:00Z, 2026-11-21T10:30:00Z",
        "PT10M, 2026-01-01T00:03:00Z, 2026-11-21T10:15:00Z, 2026-11-21T10:13:00Z, 2026-11-21T10:23:00Z",
        "PT1M, 1970-01-01T00:00:00Z, 1969-12-31T23:59:30Z, 1969-12-31T23:59:00Z, 1970-01-01T00:00:00Z",
        "PT1.000001S, 1970-01-01T00:00:00Z, 1970-01-01T00:00:01Z, 1970-01-01T00:00:00Z, 1970-01-01T00:00:01.000001Z",
        "PT1S, 1970-01-01T00:00:00Z, 2026-01-01T00:00:00.999999999Z, 2026-01-01T00:00:00Z, 2026-01-01T00:00:01Z",
    })
    void boundariesAreMultiplesFromTheAnchorBothWays(
            Duration length, Instant anchor, Instant time, Instant latest, Instant next) {
        IntervalRecurrence interval = Recurrence.every(length, anchor);

        assertThat(interval.latest(time)).hasValue(latest);
        assertThat(interval.next(time)).hasValue(next);
    }

    @Test
    void theLongestIntervalHasABoundaryInEachAge() {
        IntervalRecurrence interval =
                Recurrence.every(Duration.ofDays(3_650_000), Instant.parse("0001-01-01T00:00:00Z"));

        assertThat(interval.latest(Instant.parse("2026-01-01T00:00:00Z")))
                .hasValue(Instant.parse("0001-01-01T00:00:00Z"));
        assertThat(interval.next(Instant.parse("2026-01-01T00:00:00Z")))
                .hasValueSatisfying(next -> assertThat(next).isAfter("9990-01-01T00:00:00Z"));
        assertThat(Recurrence.every(Duration.ofDays(3_650_000)).latest(Instant.parse("1969-01-01T00:00:00Z")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "P2920000D, 1960-01-01T00:00:00Z, 9954-09-09T00:00:00Z",
        "P3650000D, 1960-01-01T00:00:00Z, 1960-01-01T00:00:00Z",
        "P3650000D, 0001-01-01T00:00:00Z, 9994-05-13T00:00:00Z",
        "P3650000D, 1969-12-31T23:59:59.999999Z, 1969-12-31T23:59:59.999999Z",
    })
    void aLongIntervalIsReadBackWhateverItsAnchor(Duration length, Instant anchor, Instant normalised) {
        IntervalRecurrence interval = Recurrence.every(length, anchor);

        assertThat(interval.anchor()).isEqualTo(normalised);
        assertThat(Recurrence.parse(interval.toString())).isEqualTo(interval);
        assertThat(interval.latest(anchor)).hasValue(anchor);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0.999S, length must be at least PT1S but was PT0.999S",
        "PT1.0000005S, length must be whole microseconds but was PT1.0000005S",
        "P3650001D, length must be at most PT87600000H but was PT87600024H",
    })
    void aLengthOutOfRangeIsRefused(Duration length, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Recurrence.every(length))
                .withMessage(message);
    }
}
