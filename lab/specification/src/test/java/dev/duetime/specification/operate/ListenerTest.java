package dev.duetime.specification.operate;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerExpiredException;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.listener.TimerListener;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rule that a listener which throws does no harm. */
class ListenerTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    static List<Throwable> troubles() {
        return List.of(
                new IllegalStateException("broken"), new AssertionError("broken"), new NoClassDefFoundError("broken"));
    }

    private static TimerKit kit(TimerListener listener) {
        return TimerKit.builder()
                .configure(scheduler -> scheduler
                        .listener(listener)
                        .retry(RetryPolicy.exponential(SECOND, SECOND).maxAttempts(2)))
                .build();
    }

    private static TimerState state(TimerKit kit, String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow().state();
    }

    @ParameterizedTest
    @MethodSource("troubles")
    void errorsOfAListenerDoNotChangeOutcomes(Throwable trouble) {
        Throwing listener = new Throwing(trouble);
        TimerKit kit = kit(listener);
        kit.publisher().failPartiallyOn(envelope -> envelope.key().timerId().equals("bad"));
        kit.publisher().onEach(envelope -> {
            if (envelope.key().timerId().equals("moved")) {
                kit.scheduler()
                        .schedule(Timer.after("moved", Duration.ofDays(1)).build());
            }
        });
        kit.scheduler().schedule(Timer.after("bad", SECOND).build());
        kit.scheduler().schedule(Timer.after("moved", SECOND).build());
        kit.scheduler()
                .schedule(Timer.at("late", kit.now().minusSeconds(9))
                        .expiresAt(kit.now())
                        .build());
        Timer tooLate =
                Timer.at("never", kit.now().minusSeconds(9)).validFor(SECOND).build();
        assertThatExceptionOfType(TimerExpiredException.class)
                .isThrownBy(() -> kit.scheduler().schedule(tooLate));
        kit.node(0).pause();
        kit.advance(Duration.ofNanos(1_000));
        kit.node(0).resume();
        for (int i = 0; i < 5; i++) {
            kit.scheduler()
                    .schedule(Timer.after("t-" + i, SECOND.multipliedBy(i)).build());
        }
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit).hasDeliveredCount(6);
        assertThat(state(kit, "late")).isEqualTo(TimerState.EXPIRED);
        assertThat(state(kit, "bad")).isEqualTo(TimerState.DEAD);
        assertThat(state(kit, "moved")).isEqualTo(TimerState.SCHEDULED);
        assertThat(state(kit, "t-4")).isEqualTo(TimerState.REACHED);
        assertThat(listener.calls).isEqualTo(6 + 2 + 1 + 1 + 1);
    }

    @Test
    void mayScheduleAndCancel() {
        TimerKit[] kits = new TimerKit[1];
        kits[0] = kit(new TimerListener() {
            @Override
            public void delivered(Envelope envelope) {
                if (envelope.key().timerId().equals("a")) {
                    kits[0].scheduler().schedule(Timer.after("b", SECOND).build());
                }
            }
        });
        kits[0].scheduler().schedule(Timer.after("a", SECOND).build());
        kits[0].advance(Duration.ofSeconds(2));
        assertThat(kits[0]).hasDeliveredInOrder("a", "b");
    }

    private static final class Throwing implements TimerListener {
        private final Throwable trouble;
        private int calls;

        Throwing(Throwable trouble) {
            this.trouble = trouble;
        }

        @Override
        public void delivered(Envelope envelope) {
            fail();
        }

        @Override
        public void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {
            fail();
        }

        @Override
        public void expired(StoredTimer timer, ExpiryReason reason) {
            fail();
        }

        @Override
        public void rejected(Timer timer, Instant expiresAt) {
            fail();
        }

        @Override
        public void overtaken(String queue, int count) {
            fail();
        }

        private void fail() {
            calls++;
            if (trouble instanceof RuntimeException exception) {
                throw exception;
            }
            throw (Error) trouble;
        }
    }
}
