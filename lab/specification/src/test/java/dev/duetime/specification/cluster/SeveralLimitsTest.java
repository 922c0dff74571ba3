package dev.duetime.specification.cluster;

import static dev.duetime.specification.cluster.LimitKit.QUEUE;
import static dev.duetime.specification.cluster.LimitKit.assertWithin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that timers which wait for one limit do not keep permits of another one from nodes that can use them. */
class SeveralLimitsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @SuppressWarnings("NullAway") // each test begins with nodes()
    private LimitKit limited;

    private void nodes(Consumer<QueueBuilder> queue) {
        limited = new LimitKit(
                2, scheduler -> scheduler.concurrency(20).batchSize(20).queue(QUEUE, queue));
    }

    @AfterEach
    void close() {
        limited.close();
    }

    @Test
    void aBacklogOfATypeWithAConcurrencyLimitLeavesThePermitsOfTheQueue() {
        nodes(queue -> queue.concurrencyLimit(20).type("report", type -> type.concurrencyLimit(1)));
        limited.each(SECOND);
        limited.dueAt(0, 1_000, "a", each -> each.type("report"));
        limited.dueAt(1, 2_000, "b", each -> each.type("mail"));
        limited.kit.advance(SECOND.multipliedBy(10));
        Instant from = limited.kit.now();
        double before = limited.runningSeconds();
        limited.kit.advance(SECOND.multipliedBy(30));

        assertThat(limited.mostRunning()).isLessThanOrEqualTo(20);
        double seconds = Duration.between(from, limited.kit.now()).toMillis() / 1e3;
        assertThat((limited.runningSeconds() - before) / seconds).isGreaterThanOrEqualTo(18);
        assertThat(limited.countOf("a")).isGreaterThanOrEqualTo(20);
    }

    @Test
    void aBacklogOfATypeWithARateLeavesTheRateOfTheQueue() {
        RateLimit rate = RateLimit.perSecond(20);
        nodes(queue -> queue.rateLimit(rate).type("report", type -> type.rateLimit(RateLimit.perSecond(1))));
        limited.dueAt(0, 1_000, "a", each -> each.type("report"));
        limited.dueAt(1, 2_000, "b", each -> each.type("mail"));
        limited.kit.advance(SECOND.multipliedBy(10));
        Instant from = limited.kit.now();
        limited.kit.advance(SECOND.multipliedBy(30));

        assertWithin(rate, limited.began);
        assertThat(limited.countBetween(from, SECOND.multipliedBy(30))).isGreaterThanOrEqualTo(550);
        assertThat(limited.countOf("a")).isGreaterThanOrEqualTo(30);
    }

    @Test
    void aBacklogOfATenantLeavesThePermitsOfTheQueue() {
        nodes(queue -> queue.concurrencyLimit(20).tenantRateLimit(RateLimit.perSecond(2)));
        limited.each(SECOND);
        limited.dueAt(0, 1_000, "a", each -> each);
        for (int i = 0; i < 40; i++) {
            limited.dueOf("tenant" + i + "-", 100);
        }
        limited.kit.advance(SECOND.multipliedBy(10));
        double before = limited.runningSeconds();
        Instant from = limited.kit.now();
        limited.kit.advance(SECOND.multipliedBy(30));

        double seconds = Duration.between(from, limited.kit.now()).toMillis() / 1e3;
        assertThat((limited.runningSeconds() - before) / seconds).isGreaterThanOrEqualTo(18);
    }
}
