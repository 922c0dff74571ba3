package dev.duetime.recurrence;

import static dev.duetime.recurrence.CalendarUnit.DAY;
import static dev.duetime.recurrence.CalendarUnit.MINUTE;
import static dev.duetime.recurrence.CalendarUnit.QUARTER;
import static dev.duetime.recurrence.CalendarUnit.WEEK;
import static dev.duetime.recurrence.CalendarUnit.YEAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.Elsewhere;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(Elsewhere.class)
class RecurrenceTextTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final CalendarRules RULES =
            CalendarRules.in(BERLIN).weekFrom(DayOfWeek.SUNDAY).yearFrom(Month.APRIL);

    @Test
    void eachRecurrenceHasATextThatReadsBack() {
        Map<Recurrence, String> texts = Map.of(
                Recurrence.every(Duration.ofMinutes(1)), "every PT1M",
                Recurrence.every(Duration.ofHours(6), Instant.parse("2026-01-01T03:00:00Z")),
                        "every PT6H anchor=1970-01-01T03:00:00Z",
                Recurrence.each(MINUTE), "minute UTC",
                Recurrence.each(DAY, BERLIN).catchUp(CatchUp.NONE), "day Europe/Berlin catchUp=NONE",
                Recurrence.each(WEEK, RULES), "week Europe/Berlin first=SUNDAY",
                Recurrence.each(QUARTER, RULES).catchUp(CatchUp.ALL), "quarter Europe/Berlin fiscal=APRIL catchUp=ALL",
                Recurrence.each(YEAR), "year UTC",
                Recurrence.cron(" 0  3 * *  MON-FRI ", BERLIN), "cron \"0 3 * * MON-FRI\" Europe/Berlin",
                Recurrence.cron("*/5 * * * *", ZoneOffset.ofHours(2)).catchUp(CatchUp.ALL),
                        "cron \"*/5 * * * *\" +02:00 catchUp=ALL");

        texts.forEach((recurrence, text) -> {
            assertThat(recurrence).hasToString(text);
            assertThat(Recurrence.parse(text)).isEqualTo(recurrence);
        });
    }

    @Test
    void recurrencesWithEqualTimesAreEqual() {
        assertThat(Recurrence.each(DAY, RULES)).isEqualTo(Recurrence.each(DAY, BERLIN));
        assertThat(Recurrence.each(WEEK, RULES)).isNotEqualTo(Recurrence.each(WEEK, BERLIN));
        assertThat(Recurrence.each(DAY, ZoneOffset.UTC)).isEqualTo(Recurrence.each(DAY, ZoneId.of("Etc/UTC")));
        assertThat(Recurrence.every(Duration.ofHours(1), Instant.parse("2026-01-01T05:00:00Z")))
                .isEqualTo(Recurrence.every(Duration.ofMinutes(60)));
        assertThat(Recurrence.each(DAY).catchUp(CatchUp.ALL)).isNotEqualTo(Recurrence.each(DAY));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    '' | recurrence must not be empty
                    '  ' | wrong number of words
                    fortnight UTC | fortnight
                    day | wrong number of words
                    day UTC UTC | wrong number of words
                    day Europe/Atlantis | Europe/Atlantis
                    day UTC colour=RED | unknown setting colour
                    day UTC catchUp=SOME | SOME
                    day UTC catchUp=ALL catchUp=ALL | occurs twice
                    week UTC first=FRYDAY | FRYDAY
                    every minute | cannot be read
                    every PT0.5S | length must be at least PT1S but was PT0.5S
                    every PT1M anchor=noon | noon
                    cron "61 * * * *" UTC | expression must be a cron expression
                    cron 0 3 * * * UTC | wrong number of words
                    """)
    void aTextThatIsNoRecurrenceIsRefusedWithTheReason(String text, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Recurrence.parse(text))
                .withMessageStartingWith("recurrence ")
                .withMessageContaining(reason);
    }
}
