package dev.duetime.specification.cluster;

import static dev.duetime.specification.cluster.LimitKit.LEASE;
import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that a crash costs a queue with several calls only what was in delivery at that time. */
class CrashedBacklogTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int CALLS = 8;
    private static final int BATCH = 5;

    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .concurrency(4)
                    .batchSize(10)
                    .retry(RetryPolicy.exponential(SECOND, Duration.ofMinutes(1))
                            .maxAttempts(3)))
            .build();

    private StoredTimer stored(String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow();
    }

    private void backlog(int count) {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(
                                i -> Timer.after("t-" + i, SECOND.plusMillis(i)).build())
                        .toList());
    }

    /** Makes the publisher kill any node that tries to deliver such an envelope. */
    private void killOn(Predicate<Envelope> deadly) {
        kit.publisher().onEach(envelope -> {
            if (deadly.test(envelope)) {
                kit.nodes().stream()
                        .filter(each -> each.clock().isRunningHere())
                        .forEach(KitNode::crash);
            }
        });
    }

    /** One call at a time would deliver 50 timers a second. */
    @Test
    void theBacklogOfACrashIsDeliveredWithAllCalls() {
        try (LimitKit cluster =
                new LimitKit(1, scheduler -> scheduler.concurrency(CALLS).batchSize(BATCH))) {
            cluster.each(Duration.ofMillis(100)).due(3_000, "t", each -> each);
            cluster.kit.advance(SECOND);
            cluster.kit.node(0).crash();
            cluster.kit.addNode();
            cluster.kit.advance(LEASE.plus(SECOND));
            Instant from = cluster.kit.now();
            cluster.kit.advance(SECOND.multipliedBy(4));

            assertThat(cluster.countBetween(from, SECOND.multipliedBy(3))).isGreaterThan(3L * 200);
        }
    }

    @Test
    void aTimerThatKillsTenNodesEndsNoOtherTimer() {
        killOn(envelope -> envelope.key().timerId().equals("t-24"));
        backlog(60);
        kit.advance(Duration.ofSeconds(2));
        for (int i = 0; i < 10; i++) {
            kit.addNode();
            kit.advance(Duration.ofSeconds(30));
        }
        assertThat(stored("t-24").state()).isEqualTo(TimerState.DEAD);
        assertThat(stored("t-24").attempt()).isEqualTo(3);
        assertThat(IntStream.range(0, 60).filter(i -> i != 24))
                .allSatisfy(i -> assertThat(stored("t-" + i).state()).isEqualTo(TimerState.REACHED));
    }

    @Test
    void anOutageAfterATakeoverSpendsNoFurtherAttempts() {
        backlog(60);
        kit.publisher().failAlways();
        kit.advance(SECOND);
        kit.node(0).crash();
        kit.addNode();
        kit.advance(Duration.ofMinutes(10));
        kit.publisher().recover();
        kit.advance(Duration.ofSeconds(5));

        assertThat(kit.delivered())
                .hasSize(60)
                .allSatisfy(each -> assertThat(each).hasAttempt(1));
    }

    @Test
    void aFailureOfTheStoreWhileCountingIsSurvived() {
        backlog(60);
        kit.node(0).crashBefore(StoreCall.SETTLE);
        kit.advance(Duration.ofSeconds(2));
        kit.addNode().failBefore(StoreCall.SETTLE);
        kit.advance(Duration.ofSeconds(30));

        assertThat(IntStream.range(0, 60)).allSatisfy(i -> {
            assertThat(stored("t-" + i).state()).isEqualTo(TimerState.REACHED);
            assertThat(stored("t-" + i).attempt()).isEqualTo(1);
        });
    }
}
