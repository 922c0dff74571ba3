package dev.duetime.recurrence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Elsewhere;
import dev.duetime.MalformedMessageException;
import dev.duetime.command.ScheduleTimer;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(Elsewhere.class)
class CronRecurrenceTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @Test
    void aTimeThatIsSkippedComesWhenTheClockJumps() {
        assertThat(clock("30 2 * * *", "2026-03-27T12:00+01:00", 3))
                .containsExactly("2026-03-28T02:30+01:00", "2026-03-29T03:00+02:00", "2026-03-30T02:30+02:00");
        assertThat(clock("*/20 2,3 29 3 *", "2026-03-27T12:00+01:00", 3))
                .as("several that are skipped are one")
                .containsExactly("2026-03-29T03:00+02:00", "2026-03-29T03:20+02:00", "2026-03-29T03:40+02:00");
    }

    @Test
    void aTimeThatIsRepeatedComesTheFirstTime() {
        assertThat(clock("30 2 * * *", "2026-10-24T12:00+02:00", 2))
                .containsExactly("2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00");
    }

    @Test
    void aTimeOfEveryHourThatIsRepeatedComesEachTime() {
        assertThat(clock("30 * * * *", "2026-10-25T02:00+02:00", 3))
                .containsExactly("2026-10-25T02:30+02:00", "2026-10-25T02:30+01:00", "2026-10-25T03:30+01:00");
    }

    @Test
    void eitherDayIsEnough() {
        assertThat(clock("0 9 13 * FRI", "2026-11-07T12:00+01:00", 3))
                .containsExactly("2026-11-13T09:00+01:00", "2026-11-20T09:00+01:00", "2026-11-27T09:00+01:00");
        assertThat(clock("0 9 13 * FRI", "2026-10-10T12:00+02:00", 2))
                .containsExactly("2026-10-13T09:00+02:00", "2026-10-16T09:00+02:00");
        assertThat(clock("0 9 1 * */3", "2026-11-01T12:00+01:00", 2))
                .as("a step restricts too")
                .containsExactly("2026-11-04T09:00+01:00", "2026-11-07T09:00+01:00");
        assertThat(clock("0 9 1 * */1", "2026-11-01T12:00+01:00", 2))
                .as("a step of one is the same as *")
                .containsExactly("2026-12-01T09:00+01:00", "2027-01-01T09:00+01:00");
        assertThat(clock("0 9 1-31 * FRI", "2026-11-01T12:00+01:00", 2))
                .as("a range restricts, even that of all days")
                .containsExactly("2026-11-02T09:00+01:00", "2026-11-03T09:00+01:00");
    }

    @Test
    void aTimeThatNeverComesHasNoOccurrence() {
        assertThat(Recurrence.cron("0 0 30 2 *", BERLIN).next(Instant.EPOCH)).isEmpty();
        assertThat(Recurrence.cron("0 0 30 2 *", BERLIN).latest(Instant.EPOCH)).isEmpty();
    }

    @Test
    void theLeapDayIsFoundEightYearsOn() {
        assertThat(Recurrence.cron("0 0 29 2 *", ZoneId.of("UTC")).next(Instant.parse("2096-03-01T00:00:00Z")))
                .hasValue(Instant.parse("2104-02-29T00:00:00Z"));
    }

    /** Two ways to say the same, one through cron-utils and one not, give the same instants around all jumps. */
    @ParameterizedTest
    @CsvSource({"* * * * *, MINUTE", "0 * * * *, HOUR", "0 0 * * *, DAY", "0 0 * * SUN, WEEK", "0 0 1 * *, MONTH"})
    void aCronOfCalendarPeriodsRecursLikeTheCalendar(String expression, CalendarUnit unit) {
        for (String id : List.of(
                "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns")) {
            ZoneId zone = ZoneId.of(id);
            Recurrence cron = Recurrence.cron(expression, zone);
            Recurrence calendar = Recurrence.each(unit, CalendarRules.in(zone).weekFrom(DayOfWeek.SUNDAY));
            Instant time = Instant.parse("2004-01-01T00:00:00Z");
            ZoneOffsetTransition jump = zone.getRules().nextTransition(time);
            for (int i = 0; i < 16 && jump != null; i++) {
                for (int hours = -26; hours <= 2; hours += 4) {
                    time = jump.getInstant().plusSeconds(hours * 3600L - 1);
                    assertThat(cron.next(time))
                            .as("next of %s after %s", cron, time)
                            .isEqualTo(calendar.next(time));
                    assertThat(cron.latest(time))
                            .as("latest of %s at %s", cron, time)
                            .isEqualTo(calendar.latest(time));
                }
                jump = zone.getRules().nextTransition(jump.getInstant());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"* * * *", "0 0 3 * * ?", "60 * * * *", "@daily", "a b c d e", "\"", "0 3 * * MOON"})
    void anExpressionWithoutFiveFieldsIsRefused(String expression) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Recurrence.cron(expression, BERLIN))
                .withMessageStartingWith("expression must be a cron expression of five fields");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Berlin", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia", "UTC"})
    void oneTimeADayIsWhatCronUtilsMakesOfIt(String id) {
        ZoneId zone = ZoneId.of(id);
        for (String time : List.of("0 0", "30 2", "45 1", "59 23")) {
            CronRecurrence daily = Recurrence.cron(time + " * * *", zone);
            CronRecurrence sameByCronUtils = Recurrence.cron(time + " * 1-12 *", zone);
            Instant at = Instant.parse("2011-01-01T00:00:00Z");
            for (int i = 0; i < 60; i++) {
                assertThat(daily.next(at)).as("%s after %s", daily, at).isEqualTo(sameByCronUtils.next(at));
                assertThat(daily.latest(at)).as("%s until %s", daily, at).isEqualTo(sameByCronUtils.latest(at));
                at = daily.next(at).orElseThrow().minusMillis(i % 3 - 1);
            }
        }
    }

    @Test
    void aDailyTimeIsItsCronExpressionAndHasWholeMinutes() {
        assertThat(Recurrence.daily(LocalTime.of(8, 5), BERLIN)).isEqualTo(Recurrence.cron("5 8 * * *", BERLIN));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Recurrence.daily(LocalTime.of(8, 0, 1), BERLIN))
                .withMessage("time must be in whole minutes but was 08:00:01");
    }

    @Test
    void withoutCronUtilsCronIsRefusedExceptForOneTimeADay() throws Exception {
        try (URLClassLoader loader = withoutCronUtils()) {
            Class<?> recurrence = loader.loadClass(Recurrence.class.getName());

            assertThat(recurrence.getMethod("parse", String.class).invoke(null, "day Europe/Berlin"))
                    .hasToString("day Europe/Berlin");
            assertThat(recurrence.getMethod("parse", String.class).invoke(null, "cron \"0 8 * * *\" Europe/Berlin"))
                    .hasToString("cron \"0 8 * * *\" Europe/Berlin");
            assertThatThrownBy(() -> recurrence
                            .getMethod("cron", String.class, ZoneId.class)
                            .invoke(null, "0 3 1 * *", BERLIN))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("expression needs com.cronutils:cron-utils, which is missing");
            assertThatThrownBy(
                            () -> loader.loadClass(ScheduleTimer.class.getName())
                                    .getMethod("parse", String.class)
                                    .invoke(
                                            null,
                                            "{\"tenantId\":\"a\",\"timerId\":\"b\",\"recurrence\":\"cron \\\"0 3 1 * *\\\" UTC\"}"))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .satisfies(e ->
                            assertThat(e.getClass().getName()).isEqualTo(MalformedMessageException.class.getName()))
                    .hasMessageContaining("cron-utils, which is missing");
        }
    }

    private static URLClassLoader withoutCronUtils() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!path.contains("cron-utils")) {
                urls.add(url(path));
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static URL url(String path) throws MalformedURLException {
        return Path.of(path).toUri().toURL();
    }

    private static List<String> clock(String expression, String after, int count) {
        CronRecurrence cron = Recurrence.cron(expression, BERLIN);
        Instant time = OffsetDateTime.parse(after).toInstant();
        List<String> times = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            time = cron.next(time).orElseThrow();
            assertThat(cron.latest(time)).hasValue(time);
            times.add(time.atZone(BERLIN).toOffsetDateTime().toString());
        }
        return times;
    }
}
