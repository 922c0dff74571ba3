package dev.duetime.specification.failure;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.listener.TimerListener;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;

/** The rule that whatever a user's code throws, the loops continue. */
class AnyErrorTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void anErrorOfThePublisherIsIsolatedLikeAnException() {
        TimerKit kit = TimerKit.builder().build();
        kit.publisher().onEach(envelope -> {
            if (envelope.key().timerId().equals("bad")) {
                throw new ServiceConfigurationError("of any kind");
            }
        });
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        kit.scheduler().schedule(Timer.after("bad", SECOND).build());
        kit.scheduler().schedule(Timer.after("b", SECOND).build());

        kit.advance(Duration.ofMinutes(1));

        assertThat(kit.store().find(TimerKey.of("a")).orElseThrow().state()).isEqualTo(TimerState.REACHED);
        assertThat(kit.store().find(TimerKey.of("b")).orElseThrow().state()).isEqualTo(TimerState.REACHED);
        assertThat(kit.store().find(TimerKey.of("bad")).orElseThrow().attempt()).isPositive();
    }

    @Test
    void anUndeclaredExceptionOfAListenerHarmsNothing() {
        TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.listener(new TimerListener() {
                    @Override
                    public void delivered(Envelope envelope) {
                        throw AnyErrorTest.<RuntimeException>undeclared(new IOException("undeclared"));
                    }
                }))
                .build();
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        kit.advance(SECOND);
        kit.scheduler().schedule(Timer.after("b", SECOND).build());
        kit.advance(SECOND);

        assertThat(kit).hasDeliveredInOrder("a", "b");
        assertThat(kit.store().find(TimerKey.of("b")).orElseThrow().state()).isEqualTo(TimerState.REACHED);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T undeclared(Throwable error) throws T {
        throw (T) error;
    }
}
