package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.engine.Engine;
import dev.duetime.engine.settle.BegunCancels;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule that a cancel that fails half-way, for want of memory, leaves a timer that can be delivered. */
class CancelWithoutMemoryTest {
    private static final TimerKey KEY = TimerKey.of("a");

    private final TimerKit kit = TimerKit.builder().build();
    private final InFlight first = new InFlight();
    private final InFlight second = new InFlight(key -> {
        throw new OutOfMemoryError("by a test");
    });

    private StoredTimer stored() {
        kit.scheduler().schedule(Timer.after("a", Duration.ofHours(1)).build());
        return kit.store().find(KEY).orElseThrow();
    }

    @Test
    void aTimerWhoseCancelBrokeOffIsDelivered() {
        StoredTimer timer = stored();

        assertThatThrownBy(() -> Engine.cancel(KEY, kit.store(), List.of(first, second), kit.now()))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(first.begin(List.of(timer))).containsExactly(timer);
        assertThat(second.begin(List.of(timer))).containsExactly(timer);
    }

    @Test
    void aCancelThatBrokeOffDoesNotEndAnother() {
        StoredTimer timer = stored();
        try (BegunCancels other = new BegunCancels(List.of(first))) {
            assertThat(other.begin(KEY)).isEmpty();
            assertThatThrownBy(() -> Engine.cancel(KEY, kit.store(), List.of(first, second), kit.now()))
                    .isInstanceOf(OutOfMemoryError.class);

            assertThat(first.begin(List.of(timer))).isEmpty();
        }
        assertThat(first.begin(List.of(timer))).containsExactly(timer);
    }
}
