package dev.duetime.specification.failure;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.SchedulerBuilder;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests of whose policy decides when a failed delivery is retried, and that no policy does harm. */
class RetryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Fails each timer but {@code good}, which shows that the broker is available. Returns the kit after that. */
    private static TimerKit failing(Consumer<SchedulerBuilder> settings) {
        TimerKit kit = TimerKit.builder().configure(settings).build();
        kit.publisher().failPartiallyOn(envelope -> !envelope.key().timerId().equals("good"));
        kit.scheduler().schedule(Timer.after("plain", SECOND).build());
        kit.scheduler().schedule(Timer.after("typed", SECOND).type("typed").build());
        kit.scheduler().schedule(Timer.after("good", SECOND).build());
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredInOrder("good");
        return kit;
    }

    private static StoredTimer stored(TimerKit kit, String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow();
    }

    @Test
    void theTypeDecidesThenTheQueueThenTheScheduler() {
        TimerKit kit = failing(scheduler -> scheduler
                .retry(RetryPolicy.fixed(Duration.ofSeconds(30)))
                .queue("default", queue -> queue.retry(RetryPolicy.fixed(Duration.ofSeconds(20))))
                .type("typed", type -> type.retry(RetryPolicy.fixed(Duration.ofSeconds(10)))));
        assertThat(stored(kit, "plain").wakeAt()).isEqualTo(kit.now().plusSeconds(20));
        assertThat(stored(kit, "typed").wakeAt()).isEqualTo(kit.now().plusSeconds(10));
    }

    @Test
    void theTypeDecidesWhenToGiveUp() {
        TimerKit kit = failing(scheduler -> scheduler
                .retry(RetryPolicy.fixed(Duration.ofSeconds(30)))
                .type("typed", type -> type.retry(RetryPolicy.fixed(SECOND).maxAttempts(1))));
        assertThat(stored(kit, "plain").state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(stored(kit, "typed").state()).isEqualTo(TimerState.DEAD);
    }

    @Test
    void theTypeDecidesWhatIsNeverRetried() {
        TimerKit kit = failing(scheduler -> scheduler.type(
                "typed", type -> type.retry(RetryPolicy.fixed(SECOND).noRetryOn(java.io.IOException.class))));
        assertThat(stored(kit, "plain").state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(stored(kit, "typed").state()).isEqualTo(TimerState.DEAD);
    }

    @Test
    void aTypeWithOnlyADeadlineUsesItsQueuesRetries() {
        TimerKit kit = failing(scheduler -> scheduler
                .retry(RetryPolicy.fixed(Duration.ofSeconds(30)))
                .type("typed", type -> type.validFor(Duration.ofHours(1))));
        assertThat(stored(kit, "typed").wakeAt()).isEqualTo(kit.now().plusSeconds(30));
    }

    @Test
    void aFunctionOfTheUsersIsAskedWithAttemptAndError() {
        TimerKit kit = failing(scheduler -> scheduler.retry(RetryPolicy.custom(
                (attempts, error) -> Duration.ofMinutes(attempts)
                        .plusSeconds(error.toString().contains("plain") ? 7 : 0),
                Duration.ofHours(1))));
        assertThat(stored(kit, "plain").wakeAt()).isEqualTo(kit.now().plusSeconds(67));
        assertThat(stored(kit, "typed").wakeAt()).isEqualTo(kit.now().plusSeconds(60));
    }

    @Test
    void aFunctionThatThrowsHarmsNeitherItsTimerNorOthers() {
        TimerKit kit = failing(scheduler -> scheduler.retry(RetryPolicy.custom(
                (attempts, error) -> {
                    throw new IllegalStateException("broken");
                },
                Duration.ofHours(1))));
        for (String each : List.of("plain", "typed")) {
            assertThat(stored(kit, each).wakeAt())
                    .isBetween(kit.now().plusMillis(750), kit.now().plusSeconds(1));
            assertThat(stored(kit, each).attempt()).isEqualTo(1);
        }
        kit.publisher().recover();
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredCount(3);
    }
}
