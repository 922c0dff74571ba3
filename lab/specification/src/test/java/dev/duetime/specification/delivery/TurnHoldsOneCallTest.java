package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the calls of a turn, if the publisher is slow and the queue is known to have several tenants. */
class TurnHoldsOneCallTest {
    private static final Duration A_CALL = Duration.ofMillis(10);

    /** What is found goes into the room that the read has left, and not into a call of its own. */
    @ParameterizedTest(name = "{0} small tenants")
    @ValueSource(ints = {1, 10, 60})
    void whatIsReadAndFoundFitsIntoOneFullCall(int tenants) {
        try (TenantLateness queue = new TenantLateness(1, A_CALL)) {
            queue.backlog("large", 0, 4_000);
            Instant first = queue.kit().now().plusMillis(500);
            for (int i = 0; i < 400; i++) {
                queue.schedule("small" + i % tenants, i, first.plusMillis(6L * i));
            }
            queue.kit().advance(Duration.ofSeconds(1));
            queue.forget();
            queue.kit().advance(Duration.ofMillis(1_500));

            List<Duration> lateness = queue.latenessOf("small");
            assertThat(lateness)
                    .hasSizeGreaterThan(200)
                    .allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(A_CALL));
            assertThat(queue.timersPerCall()).isGreaterThan(8.5);
        }
    }

    /** Most turns find nothing: the room is left for what the last two searches have found. */
    @Test
    void aTimerNowAndThenIsNoReasonForACallOfItsOwn() {
        try (TenantLateness queue = new TenantLateness(1, A_CALL)) {
            queue.backlog("large", 0, 4_000);
            Instant first = queue.kit().now().plusMillis(500);
            for (int i = 0; i < 100; i++) {
                queue.schedule("small", i, first.plusMillis(20L * i));
            }
            queue.kit().advance(Duration.ofSeconds(1));
            queue.forget();
            queue.kit().advance(Duration.ofMillis(1_500));

            assertThat(queue.timersPerCall()).isGreaterThan(8);
        }
    }
}
