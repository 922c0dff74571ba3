package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.admin.Health;
import dev.duetime.admin.QueueHealth;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of what a node reports about its own health. */
class HealthTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TimerKit kit = TimerKit.builder().notStarted().build();
    private final Instant start = kit.now();

    private Health health() {
        return kit.scheduler().admin().health();
    }

    private QueueHealth queue() {
        return health().queues().get(0);
    }

    private void run() {
        kit.node(0).start();
        kit.runDue();
    }

    private void schedule(String timerId, Duration delay) {
        kit.scheduler().schedule(Timer.after(timerId, delay).build());
    }

    @Test
    void aNodeThatDoesNotRunIsNotHealthy() {
        assertThat(health().running()).isFalse();
        assertThat(health().isHealthy()).isFalse();
        run();
        assertThat(health().isHealthy()).isTrue();
        kit.node(0).close();
        assertThat(health().isHealthy()).isFalse();
    }

    @Test
    void aNodeThatOnlySchedulesIsHealthyUntilItIsClosed() {
        Scheduler enqueuer = Scheduler.builder()
                .store(kit.store())
                .clock(kit.clock().node("enqueuer"))
                .build();
        assertThat(enqueuer.admin().health().isHealthy()).isTrue();
        enqueuer.start();
        kit.advance(Duration.ofMinutes(5));
        assertThat(enqueuer.admin().health().isHealthy()).isTrue();
        enqueuer.close();
        assertThat(enqueuer.admin().health().isHealthy()).isFalse();
    }

    @Test
    void anIdleNodeShowsItsLastPollAndItsShards() {
        run();
        kit.advance(Duration.ofSeconds(13));

        assertThat(health().nodeId()).startsWith("node-0-");
        assertThat(health().at()).isEqualTo(kit.now());
        assertThat(health().leaseOutage()).isNull();
        assertThat(queue())
                .isEqualTo(new QueueHealth(
                        "default", 4, 0, start.plusSeconds(10), null, null, null, null, null, null, null));
        assertThat(queue().oldestDueAge(kit.now())).isZero();
    }

    @Test
    void healthNeverCallsTheStore() {
        run();
        kit.node(0).storeDown();
        assertThat(health().isHealthy()).isTrue();
    }

    @Test
    void aStoreFailureIsShownAtOnceAndUnhealthyAfterTheTolerance() {
        run();
        kit.node(0).storeDown();
        kit.advance(Duration.ofSeconds(9));
        assertThat(queue().storeOutage()).isNotNull().satisfies(outage -> {
            assertThat(outage.since()).isEqualTo(start.plusSeconds(5));
            assertThat(outage.error()).isEqualTo("next_due by node node-0 failed: store is unavailable");
        });
        assertThat(health().leaseOutage()).isNotNull();
        assertThat(health().isHealthy(Duration.ofSeconds(4))).isFalse();
        assertThat(health().isHealthy()).isTrue();
        kit.advance(MINUTE);
        assertThat(health().isHealthy()).isFalse();

        kit.node(0).storeUp();
        kit.advance(Duration.ofSeconds(2));
        assertThat(queue().storeOutage()).isNull();
        assertThat(health().isHealthy(Duration.ZERO)).isTrue();
    }

    @Test
    void anOutageOfThePublisherIsShownWithoutItsMessage() {
        run();
        kit.publisher().failAlways();
        schedule("a", SECOND);
        kit.advance(MINUTE.plus(SECOND));

        assertThat(queue().publisherOutage()).isNotNull().satisfies(outage -> {
            assertThat(outage.since()).isEqualTo(start.plus(SECOND));
            assertThat(outage.error()).startsWith("java.io.IOException at dev.duetime.testkit.InMemoryPublisher.");
        });
        assertThat(queue().oldestDue()).isEqualTo(start.plus(SECOND));
        assertThat(queue().oldestDueAge(kit.now())).isEqualTo(MINUTE);
        assertThat(health().isHealthy()).isFalse();
        assertThat(health().isHealthy(MINUTE.plus(SECOND))).isTrue();

        kit.scheduler().admin().pause("default");
        assertThat(health().isHealthy()).isTrue();

        kit.publisher().recover();
        kit.scheduler().admin().resume("default");
        kit.advance(SECOND);
        assertThat(queue().publisherOutage()).isNull();
        assertThat(queue().oldestDue()).isNull();
    }

    @Test
    void healthShowsDeliveriesAndTheirStart() {
        List<QueueHealth> seen = new ArrayList<>();
        kit.publisher().onEach(each -> {
            seen.add(queue());
        });
        run();
        schedule("a", SECOND);
        schedule("b", SECOND);
        kit.advance(SECOND);

        assertThat(seen).hasSize(2).allSatisfy(queue -> {
            assertThat(queue.inDelivery()).isEqualTo(2);
            assertThat(queue.turnSince()).isEqualTo(start.plus(SECOND));
            assertThat(queue.oldestDue()).isEqualTo(start.plus(SECOND));
        });
        assertThat(queue().inDelivery()).isZero();
        assertThat(queue().turnSince()).isNull();
    }

    @Test
    void aPublisherThatDoesNotReturnCountsAfterTheTolerance() {
        Health taken = new Health("node", start.plus(MINUTE), true, null, null, List.of(hanging(start)));
        assertThat(taken.isHealthy()).isFalse();
        assertThat(taken.isHealthy(MINUTE.plusNanos(1))).isTrue();
    }

    private static QueueHealth hanging(Instant since) {
        return new QueueHealth("default", 4, 1, since, since, since, null, null, null, null, null);
    }

    @Test
    void aPausedQueueIsHealthyHoweverOldItsOldestTimerIs() {
        run();
        kit.scheduler().admin().pause("default");
        schedule("a", SECOND);
        kit.advance(Duration.ofHours(1));

        assertThat(health().isHealthy()).isTrue();
        assertThat(queue().pause()).isNotNull();
        assertThat(queue().oldestDue()).isEqualTo(start.plus(SECOND));
    }

    @Test
    void aNodeWithoutShardsIsHealthy() {
        run();
        for (int i = 0; i < 5; i++) {
            kit.addNode();
        }
        kit.advance(MINUTE.plus(SECOND.multipliedBy(5)));
        List<QueueHealth> all = kit.nodes().stream()
                .map(node -> node.scheduler().admin().health())
                .peek(health -> assertThat(health.isHealthy()).isTrue())
                .map(health -> health.queues().get(0))
                .toList();
        assertThat(all).extracting(QueueHealth::ownedShards).contains(0, 1);
        assertThat(all)
                .filteredOn(queue -> queue.ownedShards() == 0)
                .allSatisfy(queue -> assertThat(queue.noShards()).startsWith("5 nodes share its 4 shards: node node-"));
        assertThat(all)
                .filteredOn(queue -> queue.ownedShards() > 0)
                .allSatisfy(queue -> assertThat(queue.noShards()).isNull());
    }

    @Test
    void aNegativeToleranceIsRefused() {
        assertThatThrownBy(() -> health().isHealthy(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tolerance must be at least PT0S but was PT-0.000000001S");
    }
}
