package dev.duetime.examples.unittesting;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.duetime.Timer;
import dev.duetime.listener.NodeListener;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests without Micrometer and OpenTelemetry, which are no dependencies of this module: a user who does not use them
 * does not need them.
 */
class OptionalDependenciesTest {

    @ParameterizedTest
    @ValueSource(strings = {"io.micrometer.core.instrument.MeterRegistry", "io.opentelemetry.api.trace.Span"})
    void theyAreNotHere(String type) {
        assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> Class.forName(type));
    }

    @Test
    void timersAreDeliveredWithoutThem() {
        try (TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.listener(new NodeListener() {}))
                .build()) {
            kit.scheduler().schedule(Timer.after("a", Duration.ofMinutes(2)).build());
            kit.advance(Duration.ofMinutes(2));

            assertThat(kit).hasDeliveredOnce("a");
        }
    }
}
