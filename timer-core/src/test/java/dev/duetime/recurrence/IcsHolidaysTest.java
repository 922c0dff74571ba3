package dev.duetime.recurrence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Elsewhere;
import dev.duetime.internal.Errors;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of holidays from iCalendar files, hostile ones included. Each file must be read or refused within seconds. */
@Timeout(30)
@ExtendWith(Elsewhere.class)
class IcsHolidaysTest {
    private static final LocalDate FIRST = LocalDate.parse("2025-01-01");
    private static final LocalDate LAST = LocalDate.parse("2027-12-31");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DTSTART;VALUE=DATE:20261225~DTEND;VALUE=DATE:20261227 | 2026-12-25 2026-12-26",
                "DTSTART;VALUE=DATE:20261225~DTEND;VALUE=DATE:20261225 | 2026-12-25",
                "DTSTART;VALUE=DATE:20261225~DURATION:P2D | 2026-12-25 2026-12-26",
                "DTSTART;VALUE=DATE:19701225~RRULE:FREQ=YEARLY | 2025-12-25 2026-12-25 2027-12-25",
                "DTSTART;VALUE=DATE:20200101~RRULE:FREQ=YEARLY;UNTIL=20260101 | 2025-01-01 2026-01-01",
                "DTSTART;VALUE=DATE:20200101~RRULE:FREQ=YEARLY;UNTIL=20260101T000000Z | 2025-01-01 2026-01-01",
                "DTSTART;VALUE=DATE:20200101~RRULE:FREQ=YEARLY;UNTIL=20260101T000000 | 2025-01-01 2026-01-01",
                "DTSTART;VALUE=DATE:20200101~RRULE:FREQ=YEARLY;COUNT=6 | 2025-01-01",
                "DTSTART;VALUE=DATE:20241128~RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH | 2025-11-27 2026-11-26 2027-11-25",
                "DTSTART;VALUE=DATE:20250101~RRULE:FREQ=YEARLY~EXDATE;VALUE=DATE:20260101 | 2025-01-01 2027-01-01",
                "DTSTART;VALUE=DATE:20250101~RDATE;VALUE=DATE:20260406,20270329 | 2025-01-01 2026-04-06 2027-03-29",
                "DTSTART;VALUE=DATE:20240229~RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30 | ''",
                "DTSTART;VALUE=DATE:20261225~STATUS:CANCELLED | ''",
                "DTSTART:20261225T100000Z~RRULE:FREQ=SECONDLY | ''"
            })
    void wholeDaysAreReadWithTheirRepeats(String event, String dates) throws IOException {
        for (String zone : List.of("UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati")) {
            TimeZone before = TimeZone.getDefault();
            TimeZone.setDefault(TimeZone.getTimeZone(zone));
            try {
                assertThat(dates(event)).as("JVM in %s", zone).isEqualTo(dates);
            } finally {
                TimeZone.setDefault(before);
            }
        }
    }

    /** It is no fault of the file. */
    @Test
    void whatTheFunctionOfTheCallerThrowsIsThrownAsItIs() {
        for (Throwable thrown : List.of(new IllegalStateException("mine"), new NoClassDefFoundError("mine"))) {
            assertThatThrownBy(() -> Holidays.fromIcs(ics("DTSTART;VALUE=DATE:20261225"), FIRST, LAST, summary -> {
                        throw Errors.unchecked(thrown);
                    }))
                    .isSameAs(thrown);
        }
    }

    @Test
    void anEventWithARecurrenceIdReplacesItsRepeat() throws IOException {
        String holiday = "UID:a~DTSTART;VALUE=DATE:20250501~RRULE:FREQ=YEARLY";
        String moved = "UID:a~RECURRENCE-ID;VALUE=DATE:20260501~DTSTART;VALUE=DATE:20260504";

        assertThat(dates(holiday, moved)).isEqualTo("2025-05-01 2026-05-04 2027-05-01");
    }

    @Test
    void anEventThatReplacesItsRepeatMayKeepTheDate() throws IOException {
        String holiday = "UID:a~DTSTART;VALUE=DATE:20250501~RRULE:FREQ=YEARLY";
        String longer = "UID:a~RECURRENCE-ID;VALUE=DATE:20260501~DTSTART;VALUE=DATE:20260501~DURATION:P2D";

        assertThat(dates(holiday, longer)).isEqualTo("2025-05-01 2026-05-01 2026-05-02 2027-05-01");
    }

    @Test
    void anEventReplacesNoRepeatOfAnother() throws IOException {
        String holiday = "UID:a~DTSTART;VALUE=DATE:20260501";
        String other = "UID:b~RECURRENCE-ID;VALUE=DATE:20260501~DTSTART;VALUE=DATE:20260504";

        assertThat(dates(holiday, other)).isEqualTo("2026-05-01 2026-05-04");
    }

    @Test
    void onlyChosenSummariesCount() throws IOException {
        InputStream ics = ics(
                "DTSTART;VALUE=DATE:20260501~SUMMARY:Tag der Arbeit",
                "DTSTART;VALUE=DATE:20260510~SUMMARY:Muttertag",
                "DTSTART;VALUE=DATE:20260106~SUMMARY:Heilige Drei Könige");
        Set<String> remembered = Set.of("Muttertag", "Heilige Drei Könige");
        Holidays holidays = Holidays.fromIcs(ics, FIRST, LAST, summary -> !remembered.contains(summary));

        assertThat(holidays.includes(LocalDate.parse("2026-05-01"))).isTrue();
        assertThat(holidays.includes(LocalDate.parse("2026-05-10"))).isFalse();
        assertThat(holidays.includes(LocalDate.parse("2026-01-06"))).isFalse();
    }

    @Test
    void datesOutOfTheRangeAreRefused() throws IOException {
        Holidays holidays = Holidays.fromIcs(ics("DTSTART;VALUE=DATE:20261225"), FIRST, LAST);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> holidays.includes(LAST.plusDays(1)))
                .withMessage("date must be between 2025-01-01 and 2027-12-31, for which the holidays were read, but was"
                        + " 2028-01-01");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> holidays.includes(FIRST.minusDays(1)))
                .withMessageEndingWith("but was 2024-12-31");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holidays.fromIcs(ics(), FIRST, FIRST.minusDays(1)))
                .withMessageContaining("last must be 0 to 100 years after first");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Holidays.fromIcs(ics(), FIRST, FIRST.plusYears(100).plusDays(1)))
                .withMessageContaining("last must be 0 to 100 years after first");
        assertThat(Holidays.fromIcs(ics(), FIRST, FIRST.plusYears(100)).includes(FIRST))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DTSTART;VALUE=DATE:20260101~RRULE:FREQ=SECONDLY | ics must not repeat a whole day within a day",
                "DTSTART;VALUE=DATE:20260101~RRULE:FREQ=DAILY;BYHOUR=1,2,3 | ics must not repeat a whole day within a day",
                "DTSTART;VALUE=DATE:20260101~RRULE:FREQ=DAILY;BYMINUTE=1,2 | ics must not repeat a whole day within a day",
                "DTSTART;VALUE=DATE:20260101~RRULE:FREQ=DAILY;BYSECOND=1,2 | ics must not repeat a whole day within a day",
                "DTSTART;VALUE=DATE:15830101~RRULE:FREQ=DAILY | ics must have at most 100000 repeats up to 2027-12-31",
                "DTSTART;VALUE=DATE:00010101~RRULE:FREQ=DAILY | ics must not repeat from before year 1583",
                "DTSTART;VALUE=DATE:20260101~RRULE:FREQ=DAILY;INTERVAL=2147483647 | INTERVAL of at most 10000",
                "DTSTART;VALUE=DATE:20260101~RRULE:FREQ=YEARLY;BYMONTH=13 | ics cannot be read",
                "DTSTART;VALUE=DATE:20260101~RRULE:X | ics has an RRULE without a readable FREQ",
                "DTSTART;VALUE=DATE:20260101~EXRULE:FREQ=YEARLY | ics must not have an EXRULE",
                "DTSTART;VALUE=DATE:20260101~RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20260101 | several repeats",
                "DTSTART;VALUE=DATE:20261301 | ics cannot be read",
                "SUMMARY:no start | ics has an event without a readable DTSTART"
            })
    void whatCannotBeUnderstoodIsRefused(String event, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holidays.fromIcs(ics(event), FIRST, LAST))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no calendar", "<?xml version='1.0'?>", "\u0000\u0001", "BEGIN:VCARD\r\nEND:VCARD\r\n"})
    void whatIsNoCalendarIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holidays.fromIcs(stream(text), FIRST, LAST))
                .withMessage("ics must be an iCalendar file but has no VCALENDAR");
    }

    @Test
    void filesThatAreTooLargeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holidays.fromIcs(new Endless(), FIRST, LAST))
                .withMessage("ics must be at most 4194304 bytes but is longer");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holidays.fromIcs(stream("BEGIN:VEVENT\r\n".repeat(20_001)), FIRST, LAST))
                .withMessage("ics must have at most 20000 components but has more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holidays.fromIcs(stream("begin:vevent\r\n".repeat(20_001)), FIRST, LAST))
                .withMessage("ics must have at most 20000 components but has more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holidays.fromIcs(
                        ics("DTSTART;VALUE=DATE:20260101~RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30".repeat(1)
                                + "~RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30".repeat(1_000)),
                        FIRST,
                        LAST))
                .withMessage("ics must have at most 1000 RRULEs but has more");
    }

    @Test
    void anEventOfCenturiesIsReadWithinTheRange() throws IOException {
        String before = "DTSTART;VALUE=DATE:16000101~DTEND;VALUE=DATE:20250103";
        String after = "DTSTART;VALUE=DATE:20271230~DTEND;VALUE=DATE:99991231";

        assertThat(dates(before, after)).isEqualTo("2025-01-01 2025-01-02 2027-12-30 2027-12-31");
    }

    @Test
    void filesWithTooManyRepeatsAreRefused() {
        String listed = "DTSTART;VALUE=DATE:20260101~RDATE;VALUE=DATE:" + "20260406,".repeat(100_000) + "20260406";
        String century = "DTSTART;VALUE=DATE:20250101~DTEND;VALUE=DATE:21250101";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holidays.fromIcs(ics(listed), FIRST, LAST))
                .withMessage("ics must have at most 100000 repeats up to 2027-12-31 but has more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holidays.fromIcs(ics(century, century, century), FIRST, FIRST.plusYears(100)))
                .withMessage("ics must have at most 100000 repeats up to 2125-01-01 but has more");
    }

    @Test
    void deeplyNestedComponentsDoNotOverflowTheStack() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holidays.fromIcs(
                        stream("BEGIN:VCALENDAR\r\n" + "BEGIN:VEVENT\r\n".repeat(19_000)), FIRST, LAST));
    }

    /** Returns all dates of the range that the events make holidays. */
    private static String dates(String... events) throws IOException {
        Holidays holidays = Holidays.fromIcs(ics(events), FIRST, LAST);
        return FIRST.datesUntil(LAST.plusDays(1))
                .filter(holidays::includes)
                .map(LocalDate::toString)
                .reduce((all, each) -> all + " " + each)
                .orElse("");
    }

    private static InputStream ics(String... events) {
        StringBuilder text = new StringBuilder("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n");
        for (String each : events) {
            text.append("BEGIN:VEVENT\r\n").append(each.replace("~", "\r\n")).append("\r\nEND:VEVENT\r\n");
        }
        return stream(text.append("END:VCALENDAR\r\n").toString());
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A file without end. */
    private static final class Endless extends InputStream {
        @Override
        public int read() {
            return 'x';
        }
    }
}
