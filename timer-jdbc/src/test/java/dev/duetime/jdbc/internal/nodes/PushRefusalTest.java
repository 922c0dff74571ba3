package dev.duetime.jdbc.internal.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The rule that a database that was slow once is asked for notifications again. */
class PushRefusalTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final PushRefusal refusal = new PushRefusal(nanos::get);

    @Test
    void nothingIsRefusedAtFirst() {
        assertThat(refusal.holds()).isFalse();
    }

    @Test
    void aRefusalHoldsForAnHour() {
        refusal.found();

        nanos.addAndGet(PushRefusal.HOLDS.toNanos() - 1);
        assertThat(refusal.holds()).isTrue();
        nanos.incrementAndGet();
        assertThat(refusal.holds()).isFalse();
        refusal.found();
        assertThat(refusal.holds()).isTrue();
    }

    @Test
    void onlyTheFirstRefusalIsTold() {
        assertThat(refusal.found()).isTrue();
        nanos.addAndGet(PushRefusal.HOLDS.toNanos());
        assertThat(refusal.found()).isFalse();
    }
}
