package dev.duetime.specification.passage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.passage.DayHasPassed;
import dev.duetime.passage.HourHasPassed;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.specification.Elsewhere;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of events in zones whose clocks change in unusual ways, with the real engine and on a machine in another zone.
 */
@ExtendWith(Elsewhere.class)
class PassageOfTimeZonesTest {
    /** Polls and renews less often than usual, because the tests let days pass. */
    private static final Duration ONE_MINUTE = Duration.ofMinutes(1);

    /**
     * A time at which clocks change.
     *
     * @param from when its first day begins
     * @param days the dates that events name, each with its length
     * @param hours the hours around the change, each with its end
     */
    private record Weekend(String what, String zone, String from, String until, List<String> days, List<String> hours) {
        @Override
        public String toString() {
            return zone + " " + what;
        }
    }

    static Stream<Weekend> weekends() {
        return Stream.of(
                new Weekend(
                        "jumps over midnight",
                        "America/Sao_Paulo",
                        "2018-11-03T03:00:00Z",
                        "2018-11-06T02:00:00Z",
                        List.of("2018-11-03 of PT24H", "2018-11-04 of PT23H", "2018-11-05 of PT24H"),
                        List.of(
                                "2018-11-03T23:00-03:00 until 2018-11-04T03:00:00Z",
                                "2018-11-04T01:00-02:00 until 2018-11-04T04:00:00Z")),
                new Weekend(
                        "goes back over midnight",
                        "America/Sao_Paulo",
                        "2018-02-17T02:00:00Z",
                        "2018-02-19T03:00:00Z",
                        List.of("2018-02-17 of PT25H", "2018-02-18 of PT24H"),
                        List.of(
                                "2018-02-17T23:00-02:00 until 2018-02-18T02:00:00Z",
                                "2018-02-17T23:00-03:00 until 2018-02-18T03:00:00Z",
                                "2018-02-18T00:00-03:00 until 2018-02-18T04:00:00Z")),
                new Weekend(
                        "jumps by half an hour",
                        "Australia/Lord_Howe",
                        "2018-10-05T13:30:00Z",
                        "2018-10-08T13:00:00Z",
                        List.of("2018-10-06 of PT24H", "2018-10-07 of PT23H30M", "2018-10-08 of PT24H"),
                        List.of(
                                "2018-10-07T01:00+10:30 until 2018-10-06T15:30:00Z",
                                "2018-10-07T02:30+11:00 until 2018-10-06T16:00:00Z",
                                "2018-10-07T03:00+11:00 until 2018-10-06T17:00:00Z")),
                new Weekend(
                        "goes back by half an hour",
                        "Australia/Lord_Howe",
                        "2018-03-30T13:00:00Z",
                        "2018-04-02T13:30:00Z",
                        List.of("2018-03-31 of PT24H", "2018-04-01 of PT24H30M", "2018-04-02 of PT24H"),
                        List.of(
                                "2018-04-01T00:00+11:00 until 2018-03-31T14:00:00Z",
                                "2018-04-01T01:00+11:00 until 2018-03-31T15:30:00Z",
                                "2018-04-01T02:00+10:30 until 2018-03-31T16:30:00Z")),
                new Weekend(
                        "jumps over a date",
                        "Pacific/Apia",
                        "2011-12-28T10:00:00Z",
                        "2011-12-31T10:00:00Z",
                        List.of("2011-12-28 of PT24H", "2011-12-29 of PT24H", "2011-12-31 of PT24H"),
                        List.of(
                                "2011-12-29T23:00-10:00 until 2011-12-30T10:00:00Z",
                                "2011-12-31T00:00+14:00 until 2011-12-30T11:00:00Z")));
    }

    @ParameterizedTest
    @MethodSource("weekends")
    void noPeriodIsLostOrRepeatedWhenClocksChange(Weekend weekend) {
        Instant from = Instant.parse(weekend.from);
        Instant until = Instant.parse(weekend.until);
        List<String> days = new ArrayList<>();
        List<String> hours = new ArrayList<>();
        List<Instant> bounds = new ArrayList<>(List.of(from));
        List<Instant> minutes = new ArrayList<>();
        PassageOfTime time = PassageOfTime.builder()
                .zone(ZoneId.of(weekend.zone))
                .on(MinuteHasPassed.class, "told", minute -> minutes.add(minute.now()))
                .on(HourHasPassed.class, "told", hour -> {
                    hours.add(hour.time() + " until " + hour.end());
                    assertThat(hour.start()).isEqualTo(bounds.get(bounds.size() - 1));
                    bounds.add(hour.end());
                })
                .on(
                        DayHasPassed.class,
                        "told",
                        day -> days.add(day.date() + " of " + Duration.between(day.start(), day.end())))
                .build();
        try (TimerKit kit = TimerKit.builder()
                .startTime(from)
                .configure(scheduler ->
                        scheduler.extension(time).leaseDuration(ONE_MINUTE).pollInterval(ONE_MINUTE))
                .build()) {
            kit.advanceTo(until);
        }
        assertThat(days).containsExactlyElementsOf(weekend.days);
        assertThat(hours).containsSequence(weekend.hours);
        assertThat(bounds).last().isEqualTo(until);
        assertThat(minutes)
                .containsExactlyElementsOf(
                        Stream.iterate(from.plusSeconds(60), at -> !at.isAfter(until), at -> at.plusSeconds(60))
                                .toList());
    }
}
