package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.specification.HeldRows;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that timers which stay due, since another transaction holds their rows, hide no timer of another tenant. */
class TenantsBehindStayingTimersTest {
    private static final Duration A_CALL = Duration.ofMillis(10);
    private static final int HELD = 300;

    private static HeldRows store() {
        return new HeldRows(key -> key.tenantId().equals("held"));
    }

    @ParameterizedTest(name = "{0} calls at once")
    @ValueSource(ints = {1, 4})
    void anOverdueTimerBehindThemAndBehindABacklogIsFound(int concurrency) {
        try (TenantLateness queue = new TenantLateness(concurrency, A_CALL, store())) {
            Instant first = queue.kit().now().minus(Duration.ofHours(1));
            // The backlog begins five seconds later, and this is in the middle of it.
            int place = 5_000 + 8_000 * concurrency;
            queue.backlog("held", place, HELD);
            queue.kit().advance(Duration.ofSeconds(5));
            assertThat(queue.latenessOf("held")).hasSize(HELD);

            queue.backlog("large", 0, 10_000 * concurrency);
            queue.schedule("small", 0, first.plusMillis(place + HELD));
            queue.kit().advance(Duration.ofSeconds(5));

            assertThat(queue.latenessOf("large")).hasSizeLessThan(9_000 * concurrency);
            assertThat(queue.latenessOf("small")).hasSize(1);
        }
    }
}
