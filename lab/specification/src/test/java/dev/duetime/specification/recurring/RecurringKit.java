package dev.duetime.specification.recurring;

import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A kit with recurring timers. */
abstract class RecurringKit {
    static final Instant START = TestClock.START;

    static final Duration TEN = Duration.ofMinutes(10);

    static final Recurrence EVERY_TEN = Recurrence.every(TEN);

    final RecordingListener listener = new RecordingListener();

    final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .listener(listener)
                    .retry(RetryPolicy.fixed(Duration.ofMinutes(1)).maxAttempts(3)))
            .build();

    ScheduleOutcome schedule(String timerId, Recurrence recurrence, UnaryOperator<Timer.Builder> more) {
        return kit.scheduler()
                .schedule(more.apply(Timer.recurring(timerId, recurrence)).build())
                .outcome();
    }

    ScheduleOutcome schedule(String timerId, Recurrence recurrence) {
        return schedule(timerId, recurrence, UnaryOperator.identity());
    }

    StoredTimer stored(String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow();
    }

    List<Instant> dueTimes(String timerId) {
        return kit.delivered(timerId).stream().map(each -> each.event().dueAt()).toList();
    }

    static Instant minute(long minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

    void failOnce(String timerId, Instant dueAt) {
        kit.publisher()
                .failOn(each -> each.key().timerId().equals(timerId)
                        && each.event().dueAt().equals(dueAt)
                        && each.attempt() == 1);
    }

    static TimerKit kitWith(Consumer<Envelope> action) {
        return TimerKit.builder()
                .configure(scheduler -> scheduler
                        .retry(RetryPolicy.fixed(TEN).noRetryOn(IllegalStateException.class))
                        .publisher(batch -> batch.forEach(action)))
                .build();
    }
}
