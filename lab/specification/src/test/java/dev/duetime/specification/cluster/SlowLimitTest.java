package dev.duetime.specification.cluster;

import static dev.duetime.specification.cluster.LimitKit.QUEUE;
import static dev.duetime.specification.cluster.LimitKit.assertWithin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of limits that let a timer begin now and then only: what they allow must begin. */
class SlowLimitTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final OvertakenStore overtaken = new OvertakenStore(new InMemoryScheduleStore(new TestClock()));

    @SuppressWarnings("NullAway") // each test begins with nodes()
    private LimitKit limited;

    private LimitKit nodes(int count, Consumer<QueueBuilder> queue) {
        limited = new LimitKit(
                count, scheduler -> scheduler.concurrency(4).batchSize(5).queue(QUEUE, queue));
        return limited;
    }

    private LimitKit overtaken(int count, Consumer<QueueBuilder> queue) {
        limited = new LimitKit(
                overtaken,
                count,
                scheduler -> scheduler.concurrency(4).batchSize(5).queue(QUEUE, queue));
        return limited;
    }

    @AfterEach
    void close() {
        limited.close();
    }

    private void advance(Duration time) {
        limited.kit.advance(time);
    }

    @Test
    void aSlowRateIsServedAlthoughNodesOvertakeEachOther() {
        RateLimit limit = RateLimit.perMinute(1);
        overtaken(2, queue -> queue.rateLimit(limit));
        limited.due(30, "t", each -> each);
        advance(MINUTE.multipliedBy(10));

        assertThat(overtaken.count()).isPositive();
        assertWithin(limit, limited.began);
        assertThat(limited.began.size()).isBetween(10, 11);
    }

    @Test
    void aSlowRateOfSeveralUnitsIsServedAlthoughNodesOvertakeEachOther() {
        RateLimit limit = RateLimit.perMinute(2);
        overtaken(4, queue -> queue.rateLimit(limit));
        limited.due(60, "t", each -> each);
        advance(MINUTE.multipliedBy(10));

        assertWithin(limit, limited.began);
        assertThat(limited.began.size()).isBetween(20, 22);
    }

    @Test
    void aSlowRateIsServedAlthoughRepliesAreLost() {
        RateLimit limit = RateLimit.perMinute(1);
        nodes(2, queue -> queue.rateLimit(limit));
        limited.due(30, "t", each -> each);
        for (int i = 0; i < 300; i++) {
            limited.kit.node(i % 2).failAfter(StoreCall.CHANGE_PERMITS);
            limited.kit.node((i + 1) % 2).failBefore(StoreCall.CHANGE_PERMITS);
            advance(SECOND.multipliedBy(2));
        }

        assertWithin(limit, limited.began);
        assertThat(limited.began.size()).isBetween(9, 11);
    }

    @Test
    void aLostReplyToTheFirstExchangeKeepsTheBurst() {
        nodes(1, queue -> queue.rateLimit(RateLimit.of(1, Duration.ofDays(1))));
        limited.kit.node(0).failAfter(StoreCall.CHANGE_PERMITS);
        limited.due(1, "t", each -> each);
        advance(SECOND.multipliedBy(10));

        assertThat(limited.began).hasSize(1);
    }

    @Test
    void aNewLimitBeginsWithItsBurst() {
        nodes(1, queue -> queue.rateLimit(RateLimit.of(1, Duration.ofDays(365)).burst(100)));
        limited.due(120, "t", each -> each);
        advance(SECOND.multipliedBy(5));

        assertThat(limited.began).hasSize(100);
    }

    @Test
    void aTenantKeepsItsBurstWhileAnotherOneHasUsedIts() {
        RateLimit limit = RateLimit.perHour(5);
        nodes(1, queue -> queue.tenantRateLimit(limit));
        limited.dueOf("a", 7);
        advance(SECOND.multipliedBy(15));
        limited.dueOf("b", 1);
        advance(SECOND.multipliedBy(2));
        assertThat(limited.ofTenant("a")).hasSize(5);
        assertThat(limited.ofTenant("b")).hasSize(1);

        advance(Duration.ofMinutes(30));
        limited.dueOf("c", 5);
        advance(SECOND.multipliedBy(2));
        assertThat(limited.ofTenant("c")).hasSize(5);
        assertWithin(limit, limited.ofTenant("a"));
    }

    @Test
    void aQuietNodeKeepsItsPartForItsTenantsWhileAnotherOneIsBusy() {
        RateLimit limit = RateLimit.perHour(6);
        nodes(2, queue -> queue.tenantRateLimit(limit));
        dueOf("a", 0, 1);
        dueOf("a", 1, 1);
        advance(SECOND.multipliedBy(5));
        for (int i = 0; i < 60; i++) {
            dueOf("b" + i, 0, 1);
            advance(SECOND);
        }
        dueOf("a", 1, 1);
        dueOf("c", 1, 2);
        advance(SECOND);

        assertThat(limited.ofTenant("a")).hasSize(3);
        assertThat(limited.ofTenant("c")).hasSize(2);
    }

    private int numbers;

    /** Schedules timers of a tenant that are due now, in shards of one node. */
    private void dueOf(String tenant, int node, int count) {
        for (int i = 0; i < count; i++) {
            TimerKey key = TimerKey.of(tenant, "t" + numbers++);
            limited.kit
                    .node(node)
                    .scheduler()
                    .schedule(Timer.at(key, limited.kit.now()).build());
        }
    }

    @Test
    void unitsThatWereKeptForTenantsAreGivenBackWhenAllHaveTheirBurst() {
        nodes(2, queue -> queue.tenantRateLimit(RateLimit.perMinute(5)));
        limited.dueOf("a", 5);
        advance(SECOND.multipliedBy(20));
        assertThat(limited.sumOfUnits()).isPositive();
        advance(MINUTE.multipliedBy(2));

        assertThat(limited.units()).isEmpty();
    }

    @Test
    void unitsThatAreKeptForTenantsGoToANodeThatNeedsThem() {
        RateLimit limit = RateLimit.perMinute(6);
        nodes(2, queue -> queue.tenantRateLimit(limit));
        limited.dueAt(0, 6, "a", each -> each);
        advance(SECOND.multipliedBy(15));
        limited.dueAt(1, 20, "b", each -> each);
        advance(MINUTE.multipliedBy(3));

        assertWithin(limit, limited.began);
        assertThat(limited.countOf("b")).isGreaterThanOrEqualTo(13);
    }

    @Test
    void aTimerThatNeedsTwoLimitsBeginsOnEachNode() {
        RateLimit rate = RateLimit.perSecond(1);
        nodes(4, queue -> queue.rateLimit(rate).type("report", type -> type.rateLimit(rate)));
        for (int i = 0; i < 4; i++) {
            limited.dueAt(i, 100, "other" + i + "-", each -> each.type("other").priority(-1));
        }
        limited.dueAt(1, 20, "b", each -> each.type("report"));
        limited.dueAt(2, 20, "c", each -> each.type("report"));
        advance(MINUTE);

        assertWithin(rate, limited.began);
        assertThat(limited.began.size()).isBetween(54, 61);
        assertThat(limited.countOf("b")).isGreaterThanOrEqualTo(5);
        assertThat(limited.countOf("c")).isGreaterThanOrEqualTo(5);
    }

    @Test
    void nodesTakeTurnsAtTheOnlyUnitHoweverLongRunsLast() {
        for (int nodes = 2; nodes <= 3; nodes++) {
            for (int seconds : new int[] {5, 10, 30}) {
                nodes(nodes, queue -> queue.concurrencyLimit(1)).each(SECOND.multipliedBy(seconds));
                for (int i = 0; i < nodes; i++) {
                    limited.dueAt(i, 20, "n" + i + "-", each -> each);
                }
                advance(SECOND.multipliedBy(seconds).multipliedBy(nodes * 6L));

                assertThat(limited.mostRunning()).isEqualTo(1);
                for (int i = 0; i < nodes; i++) {
                    assertThat(limited.countOf("n" + i + "-"))
                            .as("node %d of %d, %d s", i, nodes, seconds)
                            .isGreaterThanOrEqualTo(4);
                }
                limited.close();
            }
        }
    }
}
