package dev.duetime.specification.recurring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
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

/** A kit whose recurring timers miss occurrences. */
abstract class CatchUpKit {
    static final Instant START = TestClock.START;

    static final Recurrence EVERY_TEN = Recurrence.every(Duration.ofMinutes(10));

    final RecordingListener listener = new RecordingListener();

    final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.listener(listener))
            .build();

    void schedule(String timerId, Recurrence recurrence) {
        kit.scheduler().schedule(Timer.recurring(timerId, recurrence).build());
    }

    void down(Duration duration) {
        kit.node(0).close();
        kit.advance(duration);
        kit.node(0).restart();
        kit.runDue();
    }

    StoredTimer stored(String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow();
    }

    List<Instant> dueTimes(String timerId) {
        return kit.delivered(timerId).stream().map(each -> each.event().dueAt()).toList();
    }

    List<Instant> previous(String timerId) {
        return kit.delivered(timerId).stream()
                .map(each -> each.event().previous())
                .toList();
    }

    static Instant minute(long minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

    static void repeatsAreEqual(TimerKit cluster) {
        for (Envelope one : cluster.delivered()) {
            assertThat(cluster.delivered())
                    .filteredOn(each -> each.id().equals(one.id()))
                    .allSatisfy(each -> {
                        assertThat(each.event().dueAt()).isEqualTo(one.event().dueAt());
                        assertThat(each.event().previous())
                                .isEqualTo(one.event().previous());
                    });
        }
    }

    void together(String timerId, Recurrence recurrence) {
        kit.scheduler()
                .schedule(Timer.recurring(timerId, recurrence)
                        .parallelKey("together")
                        .build());
    }
}
