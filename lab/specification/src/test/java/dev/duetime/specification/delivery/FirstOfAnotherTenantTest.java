package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the first timers of other tenants behind the backlog of the only tenant that is known so far. */
class FirstOfAnotherTenantTest {
    private static final Duration A_CALL = Duration.ofMillis(10);

    @ParameterizedTest(name = "{0} calls at once")
    @ValueSource(ints = {1, 4})
    void theFirstTimerWaitsForOneCall(int concurrency) {
        List<Duration> lateness = new ArrayList<>();
        for (int run = 0; run < 12; run++) {
            try (TenantLateness queue = new TenantLateness(concurrency, A_CALL)) {
                queue.backlog("large", 0, 1_500 * concurrency);
                queue.schedule("small", 0, queue.kit().now().plusMillis(300 + 27L * run));
                queue.kit().advance(Duration.ofSeconds(1));
                lateness.addAll(queue.latenessOf("small"));
            }
        }

        assertThat(lateness).hasSize(12).allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(A_CALL));
    }

    @ParameterizedTest(name = "{0} calls at once")
    @ValueSource(ints = {1, 4})
    void theFirstTimersOfTenTenantsWaitForOneCall(int concurrency) {
        try (TenantLateness queue = new TenantLateness(concurrency, A_CALL)) {
            queue.backlog("large", 0, 3_000 * concurrency);
            Instant first = queue.kit().now().plusMillis(500);
            for (int i = 0; i < 200; i++) {
                queue.schedule("small" + i % 10, i, first.plusMillis(6L * i));
            }
            queue.kit().advance(Duration.ofSeconds(2));

            assertThat(queue.latenessOf("small"))
                    .hasSize(200)
                    .allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(A_CALL));
        }
    }

    /** It was due a moment before the loop read the backlog for the first time, and lies behind what that read returned. */
    @ParameterizedTest(name = "{0} calls at once")
    @ValueSource(ints = {1, 4})
    void aTimerThatWasDueJustBeforeTheBacklogWasSeenWaitsForAFewCalls(int concurrency) {
        List<Duration> waited = new ArrayList<>();
        for (int run = 0; run < 12; run++) {
            Duration paused = Duration.ofMillis(20 + 19L * run);
            try (TenantLateness queue = new TenantLateness(concurrency, A_CALL)) {
                queue.kit().scheduler().admin().pause("default");
                queue.backlog("large", 0, 6_000 * concurrency);
                queue.schedule("small", 0, queue.kit().now().plusSeconds(1).minus(paused));
                queue.kit().advance(Duration.ofSeconds(1));
                queue.kit().scheduler().admin().resume("default");
                queue.kit().advance(Duration.ofSeconds(1));
                queue.latenessOf("small").forEach(each -> waited.add(each.minus(paused)));
            }
        }

        assertThat(waited).hasSize(12).allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(A_CALL.multipliedBy(5)));
    }
}
