package dev.duetime.specification.passage;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.passage.DayHasPassed;
import dev.duetime.passage.HourHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.passage.TimeHasPassed;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** The events that subscribers to the passage of time have received, and the stored ticks. */
abstract class PassageKit {
    static final Instant START = TestClock.START;

    static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    final List<String> told = new ArrayList<>();

    static TimerKit kit(PassageOfTime.Builder time) {
        return kit(START, time);
    }

    static TimerKit kit(Instant start, PassageOfTime.Builder time) {
        PassageOfTime built = time.build();
        return TimerKit.builder()
                .startTime(start)
                .configure(scheduler -> scheduler.extension(built))
                .build();
    }

    <E extends TimeHasPassed> PassageOfTime.Handler<E> tell() {
        return event -> told.add(event.type() + " " + event.now());
    }

    static List<StoredTimer> ticks(TimerKit kit) {
        return kit.store().query(TimerQuery.all().tenantId("duetime"));
    }

    static StoredTimer tick(TimerKit kit, String id) {
        return kit.store().find(TimerKey.of("duetime", id)).orElseThrow();
    }

    static Instant minute(long minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

    PassageOfTime.Builder hoursAndDaysOfBerlin() {
        return PassageOfTime.builder()
                .zone(BERLIN)
                .on(HourHasPassed.class, "hours", event -> told.add(event.time() + " until " + event.end()))
                .on(
                        DayHasPassed.class,
                        "days",
                        event -> told.add(event.date() + " of "
                                + Duration.between(event.start(), event.end()).toHours() + " hours"));
    }
}
