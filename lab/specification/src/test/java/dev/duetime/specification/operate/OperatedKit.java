package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.util.List;

/** A kit with timers for an operator to work on. */
abstract class OperatedKit {
    static final Duration SECOND = Duration.ofSeconds(1);
    static final Duration HOUR = Duration.ofHours(1);
    static final TimerQuery ALL = TimerQuery.all();

    final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .retry(RetryPolicy.exponential(SECOND, SECOND).maxAttempts(1))
                    .type(
                            "stubborn",
                            type -> type.retry(RetryPolicy.fixed(SECOND).maxAttempts(3)))
                    .queue("mail", queue -> queue.publisher(batch -> {})))
            .build();
    final TimerAdmin admin = kit.scheduler().admin();

    final void schedule(String timerId, Duration delay) {
        kit.scheduler().schedule(Timer.after(timerId, delay).build());
    }

    final StoredTimer stored(String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow();
    }

    /** Lets timers die while another one gets through. */
    final void dead(String... timerIds) {
        kit.publisher().failPartiallyOn(each -> !each.key().timerId().equals("good"));
        schedule("good", SECOND);
        List.of(timerIds).forEach(id -> schedule(id, SECOND));
        kit.advance(Duration.ofSeconds(5));
        kit.publisher().recover();
        List.of(timerIds).forEach(id -> assertThat(stored(id).state()).as(id).isEqualTo(TimerState.DEAD));
    }
}
