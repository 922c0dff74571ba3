package dev.duetime.passage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.duetime.DueTimeReached;
import dev.duetime.Elsewhere;
import dev.duetime.Envelope;
import dev.duetime.MalformedMessageException;
import dev.duetime.Payload;
import dev.duetime.TimerKey;
import dev.duetime.recurrence.CalendarUnit;
import dev.duetime.recurrence.Recurrence;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the JSON form of events. */
@ExtendWith(Elsewhere.class)
class TimeHasPassedJsonTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @MethodSource("dev.duetime.passage.TimeHasPassedTest#oneOfEach")
    void everyEventReadsBack(TimeHasPassed event) {
        assertThat(TimeHasPassed.fromJson(event.toJson())).isEqualTo(event);
        assertThat(TimeHasPassed.from(envelope(event.toJson()))).isEqualTo(event);
    }

    @Test
    void theFormIsAsDocumented() {
        Instant now = Instant.parse("2026-11-20T23:00:00Z");
        Recurrence days = Recurrence.each(CalendarUnit.DAY, BERLIN);

        assertThat(TimeHasPassed.of(days, now, now.minus(Duration.ofDays(1))).toJson())
                .isEqualTo(
                        "{\"event\":\"DayHasPassed\",\"now\":\"2026-11-20T23:00:00Z\","
                                + "\"previous\":\"2026-11-19T23:00:00Z\",\"zone\":\"Europe/Berlin\","
                                + "\"start\":\"2026-11-19T23:00:00Z\",\"end\":\"2026-11-20T23:00:00Z\",\"date\":\"2026-11-20\"}");
    }

    @Test
    void theFirstHasNoPrevious() {
        TimeHasPassed first = TimeHasPassed.of(Recurrence.each(CalendarUnit.DAY), Instant.EPOCH, null);

        assertThat(first.toJson()).doesNotContain("previous");
        assertThat(TimeHasPassed.fromJson(first.toJson())).isEqualTo(first);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    "DayHasPassed" | "DecadeHasPassed" | event
                    "Europe/Berlin" | "Europe/Atlantis" | zone
                    "2026-09-30" | "yesterday" | date
                    "2026-09-30" | 17 | date
                    "start" | "begin" | start
                    "previous":"2026 | "previous":"2027 | $
                    """)
    void aMissingOrMalformedFieldIsNamed(String part, String other, String field) {
        String json = TimeHasPassedTest.oneOfEach().get(3).toJson();

        assertThat(json).contains(part);
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> TimeHasPassed.fromJson(json.replace(part, other)))
                .satisfies(e -> assertThat(e.field()).isEqualTo(field));
    }

    @ParameterizedTest
    @CsvSource({"''", "[]", "nonsense", "{} {}", "{"})
    void jsonThatIsNoObjectIsRefused(String text) {
        assertThatExceptionOfType(MalformedMessageException.class).isThrownBy(() -> TimeHasPassed.fromJson(text));
    }

    private static Envelope envelope(String payload) {
        DueTimeReached event = new DueTimeReached(
                TimerKey.of("day"),
                "DayHasPassed",
                TimeHasPassedTest.MIDNIGHT,
                TimeHasPassedTest.MIDNIGHT,
                null,
                null,
                Payload.of(payload.getBytes(StandardCharsets.UTF_8)));
        return new Envelope("id-1", "passage", 1, 0, Map.of(), event);
    }
}
