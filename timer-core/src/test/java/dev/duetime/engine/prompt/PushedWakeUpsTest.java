package dev.duetime.engine.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Clock;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The rule that a store that pushed no hints when the node started is asked again. */
class PushedWakeUpsTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");

    private static final Clock CLOCK = new Clock() {
        @Override
        public Instant now() {
            return NOW;
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Loop start(String name, Pass pass) {
            throw new UnsupportedOperationException("the clock is stopped");
        }
    };

    private static final class Quiet implements WakeUps.Receiver {
        @Override
        public List<WakeUp> await(Duration longest) {
            return List.of();
        }

        @Override
        public void close() {
            // It holds nothing.
        }
    }

    private boolean pushes;

    private final PushedWakeUps pushed = new PushedWakeUps(
            new WakeUps() {
                @Override
                public Optional<Receiver> receive() {
                    return pushes ? Optional.of(new Quiet()) : Optional.empty();
                }
            },
            CLOCK,
            hint -> {},
            () -> {});

    @Test
    void aStoreThatPushesNothingIsAskedAgain() {
        assertThat(pushed.run()).isAfter(NOW).isBefore(NOW.plus(Duration.ofHours(1)));
        assertThat(pushed.isReceiving()).isFalse();

        pushes = true;
        pushed.run();

        assertThat(pushed.isReceiving()).isTrue();
    }
}
