package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of timers that were due a moment before they became visible, behind the backlog of another tenant. */
class DueBeforeCommitTest {
    private static final Duration A_CALL = Duration.ofMillis(10);

    private final Map<Instant, Instant> committedAt = new HashMap<>();

    /** The search of the present has passed the due time when the timer becomes visible. */
    @ParameterizedTest(name = "due {0} ms before")
    @ValueSource(ints = {0, 5, 12, 30, 100, 900})
    void aTimerThatBecomesVisibleLateWaitsForTwoCalls(int millis) {
        try (TenantLateness queue = new TenantLateness(1, A_CALL)) {
            queue.backlog("large", 0, 6_000);
            // The first timer of another tenant may wait for the rest of a long turn.
            queue.schedule("known", 0, queue.kit().now().plusMillis(500));
            Instant first = queue.kit().now().plusSeconds(1);
            queue.afterEachCall(now -> {
                int number = committedAt.size();
                if (number < 20 && !now.isBefore(first.plusMillis(137L * number))) {
                    Instant dueAt = now.minusMillis(millis);
                    queue.schedule("small", number, dueAt);
                    committedAt.put(dueAt, now);
                }
            });
            queue.kit().advance(Duration.ofSeconds(5));

            List<Duration> waits = new ArrayList<>();
            for (TenantLateness.Published each : queue.published) {
                if (each.tenant().equals("small")) {
                    waits.add(Duration.between(committedAt.get(each.dueAt()), each.at()));
                }
            }
            // The search rests for a call's time, so the call after the next one has the timer.
            assertThat(waits)
                    .hasSize(20)
                    .allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(A_CALL.multipliedBy(2)));
        }
    }
}
