package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests of tenants that come while several others have backlogs. */
class NewcomerBesideBacklogsTest {
    private static final Duration A_CALL = Duration.ofMillis(20);

    @Test
    void aNewcomerWaitsForOneCall() {
        try (TenantLateness queue = new TenantLateness(1, A_CALL)) {
            for (int i = 0; i < 3; i++) {
                queue.backlog("large" + i, 3_000 * i, 3_000);
            }
            Instant first = queue.kit().now().plusSeconds(2);
            for (int i = 0; i < 20; i++) {
                queue.schedule("new" + i, i, first.plusMillis(337L * i));
            }
            queue.kit().advance(Duration.ofSeconds(9));

            assertThat(queue.latenessOf("new"))
                    .hasSize(20)
                    .allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(A_CALL));
            assertThat(queue.timersPerCall()).isGreaterThan(9);
        }
    }
}
