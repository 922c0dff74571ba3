package dev.duetime.specification.cluster;

import static dev.duetime.specification.cluster.LimitKit.LEASE;
import static dev.duetime.specification.cluster.LimitKit.QUEUE;
import static dev.duetime.specification.cluster.LimitKit.assertWithin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.Timer;
import dev.duetime.admin.LimitUse;
import dev.duetime.admin.QueueHealth;
import dev.duetime.specification.cluster.LimitKit.Began;
import dev.duetime.store.Permits;
import dev.duetime.store.Permits.Change;
import dev.duetime.store.Permits.Limit;
import dev.duetime.store.Permits.Share;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of limits that hold for the timers of all nodes together. */
class LimitTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final RateLimit RATE = RateLimit.perSecond(50);

    @SuppressWarnings("NullAway") // each test begins with nodes()
    private LimitKit limited;

    private LimitKit nodes(int count, Consumer<QueueBuilder> queue) {
        limited = new LimitKit(
                count, scheduler -> scheduler.concurrency(10).batchSize(5).queue(QUEUE, queue));
        return limited;
    }

    @AfterEach
    void close() {
        limited.close();
    }

    private void advance(Duration time) {
        limited.kit.advance(time);
    }

    private void assertDeliveredOnce(int count) {
        assertThat(limited.began)
                .hasSize(count)
                .allSatisfy(each -> assertThat(each.attempt()).isEqualTo(1));
        assertThat(limited.began).extracting(Began::id).doesNotHaveDuplicates();
    }

    @Test
    void noMoreTimersAreInDeliveryThanTheQueueAllows() {
        nodes(3, queue -> queue.concurrencyLimit(6)).each(Duration.ofMillis(100));
        limited.due(300, "t", each -> each);
        advance(Duration.ofMinutes(2));

        assertThat(limited.mostRunning()).isEqualTo(6);
        assertDeliveredOnce(300);
    }

    @Test
    void aConcurrencyLimitIsUsedToNineTenths() {
        nodes(3, queue -> queue.concurrencyLimit(12)).each(Duration.ofMillis(100));
        Instant from = limited.kit.now();
        limited.due(2_000, "t", each -> each);
        advance(Duration.ofMinutes(5));

        assertThat(limited.meanRunning(from)).isBetween(0.9 * 12, 12.0);
        assertThat(limited.mostRunning()).isEqualTo(12);
    }

    @Test
    void nodesWithABacklogHoldAllUnits() {
        nodes(3, queue -> queue.rateLimit(RATE));
        limited.due(3_000, "t", each -> each);
        advance(SECOND.multipliedBy(8));

        assertThat(limited.units().values()).containsExactlyInAnyOrder(17, 17, 16);
    }

    @Test
    void anOperatorSeesWhichNodeHoldsHowMuchOfALimit() {
        nodes(3, queue -> queue.rateLimit(RATE).type("slow", type -> type.concurrencyLimit(2)));
        assertThat(limited.kit.scheduler().admin().limits()).isEmpty();
        limited.due(3_000, "t", each -> each);
        advance(SECOND.multipliedBy(8));

        LimitUse rate = limited.kit.scheduler().admin().limits().get(0);

        assertThat(rate.queue()).isEqualTo(QUEUE);
        assertThat(rate.name()).isEqualTo("rate");
        assertThat(rate.held()).isEqualTo(50);
        assertThat(rate.wanted()).isGreaterThanOrEqualTo(50);
        assertThat(rate.shares()).hasSize(3).allSatisfy(share -> {
            assertThat(share.total()).isEqualTo(50);
            assertThat(share.spacing()).isEqualTo(Duration.ofMillis(20));
        });
    }

    @Test
    void anOperatorSeesNoShareThatHasEndedAndNoLimitOfAnUnknownQueue() {
        nodes(1, queue -> queue.rateLimit(RATE));
        Instant now = limited.kit.now();
        Share ended = new Share("gone", 5, 5, 10, 0, now.minusSeconds(60), now);
        Share held = new Share("here", 3, 4, 10, 0, now.minusSeconds(60), now.plusSeconds(60));
        limited.kit
                .store()
                .permits()
                .change(List.of(
                        change(new Limit(QUEUE, "concurrency"), ended),
                        change(new Limit(QUEUE, "rate"), held),
                        change(new Limit("elsewhere", "rate"), held)));

        List<LimitUse> seen = limited.kit.scheduler().admin().limits();

        assertThat(seen).extracting(LimitUse::queue).containsOnly(QUEUE);
        assertThat(seen).extracting(LimitUse::name).containsExactly("concurrency", "rate");
        assertThat(seen.get(0).shares()).isEmpty();
        assertThat(seen.get(1).shares()).extracting(LimitUse.Share::nodeId).containsExactly("here");
        assertThat(seen.get(1).held()).isEqualTo(3);
        assertThat(seen.get(1).wanted()).isEqualTo(4);
    }

    private static Change change(Limit limit, Share share) {
        return new Change(limit, Permits.UNWRITTEN, Instant.EPOCH, share, Set.of());
    }

    @Test
    void aRateHoldsInEachWindowAndIsUsedToNineTenths() {
        nodes(3, queue -> queue.rateLimit(RATE));
        Instant start = limited.kit.now();
        limited.due(2_000, "t", each -> each);
        advance(SECOND.multipliedBy(30));

        assertWithin(RATE, limited.began);
        assertThat(limited.countBetween(start.plus(SECOND.multipliedBy(2)), SECOND.multipliedBy(28)))
                .isBetween(28 * 45L, 28 * 50L + 50);
        advance(SECOND.multipliedBy(20));
        assertDeliveredOnce(2_000);
    }

    @Test
    void aBurstIsDeliveredAtOnceAfterAQuietTime() {
        RateLimit limit = RateLimit.perSecond(10).burst(100);
        nodes(1, queue -> queue.rateLimit(limit));
        limited.due(300, "t", each -> each);
        advance(SECOND);

        assertThat(limited.began.size()).isBetween(100, 110);
        assertWithin(limit, limited.began);
        advance(SECOND.multipliedBy(40));
        limited.due(200, "u", each -> each);
        advance(SECOND.multipliedBy(40));
        assertWithin(limit, limited.began);
        assertDeliveredOnce(500);
    }

    @Test
    void aRateSlowerThanThereAreNodesIsServedInTurns() {
        RateLimit limit = RateLimit.perSecond(2).burst(1);
        nodes(3, queue -> queue.rateLimit(limit));
        limited.due(120, "t", each -> each);
        advance(SECOND.multipliedBy(75));

        assertWithin(limit, limited.began);
        assertDeliveredOnce(120);
    }

    @Test
    void oneTimerAtATimeOnAllNodes() {
        nodes(3, queue -> queue.concurrencyLimit(1)).each(Duration.ofMillis(50));
        limited.due(200, "t", each -> each);
        advance(SECOND.multipliedBy(40));

        assertThat(limited.mostRunning()).isEqualTo(1);
        assertDeliveredOnce(200);
    }

    @Test
    void aLimitedTypeHoldsUpNoOther() {
        nodes(3, queue -> queue.type("slow", type -> type.rateLimit(RateLimit.perSecond(2))));
        limited.due(1_000, "s", each -> each.type("slow"));
        advance(SECOND);
        Instant due = limited.kit.now();
        limited.due(100, "f", each -> each.type("fast"));
        advance(SECOND.multipliedBy(10));

        assertThat(limited.ofType("fast"))
                .hasSize(100)
                .allSatisfy(each -> assertThat(each.at()).isBefore(due.plusMillis(1_500)));
        assertWithin(RateLimit.perSecond(2), limited.ofType("slow"));
        assertThat(limited.ofType("slow").size()).isBetween(18, 24);
    }

    @Test
    void aTypeWithAConcurrencyLimitHoldsUpNoOther() {
        nodes(2, queue -> queue.type("slow", type -> type.concurrencyLimit(2))).each(Duration.ofMillis(100));
        limited.due(100, "s", each -> each.type("slow"));
        limited.due(20, "f", each -> each.type("fast"));
        advance(Duration.ofMinutes(2));

        assertDeliveredOnce(120);
        int fast = limited.began.stream()
                .filter(each -> each.type().equals("fast"))
                .map(limited.began::indexOf)
                .max(Integer::compare)
                .orElseThrow();
        assertThat(fast).isLessThan(60);
    }

    @Test
    void eachTenantHasTheRateForItself() {
        RateLimit limit = RateLimit.perSecond(6);
        nodes(3, queue -> queue.tenantRateLimit(limit));
        Instant start = limited.kit.now();
        limited.dueOf("big", 300);
        limited.dueOf("small", 5);
        advance(SECOND.multipliedBy(20));

        assertWithin(limit, limited.ofTenant("big"));
        assertThat(limited.ofTenant("big").size()).isBetween(108, 126);
        assertThat(limited.ofTenant("small"))
                .hasSize(5)
                .allSatisfy(each -> assertThat(each.at()).isBefore(start.plusSeconds(3)));
    }

    @Test
    void theUnitsOfACrashedNodeComeBackWhenItsShareEnds() {
        nodes(3, queue -> queue.rateLimit(RATE));
        limited.due(3_000, "t", each -> each);
        advance(SECOND.multipliedBy(5));
        limited.kit.node(1).crash();
        advance(LEASE.multipliedBy(3));
        Instant after = limited.kit.now();
        advance(SECOND.multipliedBy(10));

        assertWithin(RATE, limited.began);
        assertThat(limited.countBetween(after, SECOND.multipliedBy(10))).isBetween(450L, 550L);
    }

    @Test
    void aNodeThatPausesUsesNothingAfterItsShareHasEnded() {
        nodes(3, queue -> queue.rateLimit(RATE));
        limited.due(4_000, "t", each -> each);
        advance(SECOND.multipliedBy(5));
        KitNode paused = limited.kit.node(1);
        paused.pause();
        advance(LEASE.multipliedBy(2));
        paused.resume();
        advance(SECOND.multipliedBy(10));

        assertWithin(RATE, limited.began);
    }

    @Test
    void aNodeThatClosesGivesItsUnitsBackAtOnce() {
        nodes(3, queue -> queue.rateLimit(RATE));
        limited.due(3_000, "t", each -> each);
        advance(SECOND.multipliedBy(5));
        limited.kit.node(1).close();
        Instant after = limited.kit.now().plus(SECOND);
        advance(SECOND.multipliedBy(11));

        assertWithin(RATE, limited.began);
        assertThat(limited.countBetween(after, SECOND.multipliedBy(10))).isBetween(450L, 550L);
    }

    @Test
    void aRestartDoesNotRefillARate() {
        RateLimit limit = RateLimit.perMinute(5);
        nodes(1, queue -> queue.rateLimit(limit));
        limited.due(20, "t", each -> each);
        advance(SECOND);
        assertThat(limited.began).hasSize(5);
        limited.kit.node(0).restart();
        advance(Duration.ofMinutes(2));

        assertWithin(limit, limited.began);
        assertThat(limited.began.size()).isBetween(14, 16);
    }

    @Test
    void theUnusedPartOfARateSurvivesAClose() {
        RateLimit limit = RateLimit.perHour(5);
        nodes(1, queue -> queue.rateLimit(limit));
        limited.due(1, "first", each -> each);
        advance(SECOND);
        limited.kit.node(0).close();
        limited.kit
                .addNode()
                .scheduler()
                .scheduleAll(IntStream.range(0, 4)
                        .mapToObj(i -> Timer.at("t" + i, limited.kit.now()).build())
                        .toList());
        advance(SECOND.multipliedBy(3));

        assertThat(limited.began).hasSize(5);
        assertWithin(limit, limited.began);
    }

    @Test
    void anIdleNodeMakesNoStatementForLimits() {
        nodes(2, queue -> queue.concurrencyLimit(5).rateLimit(RATE));
        limited.due(10, "t", each -> each);
        advance(Duration.ofSeconds(30));
        assertThat(limited.units()).isEmpty();
        int before = limited.kit.node(0).calls(StoreCall.READ_PERMITS);
        advance(Duration.ofHours(1));

        assertThat(before).isPositive();
        assertThat(limited.kit.node(0).calls(StoreCall.READ_PERMITS)).isEqualTo(before);
        assertDeliveredOnce(10);
    }

    @Test
    void whileNodesDifferTheSmallerLimitHolds() {
        limited = new LimitKit(2, scheduler -> scheduler.queue(QUEUE, queue -> queue.rateLimit(RATE)));
        RateLimit smaller = RateLimit.perSecond(20);
        limited.kit.addNode(scheduler -> scheduler.queue(QUEUE, queue -> queue.rateLimit(smaller)));
        advance(LEASE.multipliedBy(3));
        limited.due(2_000, "t", each -> each);
        advance(SECOND.multipliedBy(5));
        Instant from = limited.kit.now();
        advance(SECOND.multipliedBy(20));

        assertThat(limited.countBetween(from, SECOND.multipliedBy(20))).isBetween(360L, 420L);
    }

    @Test
    void healthShowsWhatWaits() {
        nodes(1, queue -> queue.type("slow", type -> type.rateLimit(RateLimit.perMinute(1))));
        Instant begun = limited.kit.now();
        limited.due(5, "t", each -> each.type("slow"));
        advance(SECOND.multipliedBy(3));
        QueueHealth health = limited.kit.scheduler().admin().health().queues().get(0);

        assertThat(Objects.requireNonNull(health.permitWait()).limit()).isEqualTo("rate of type slow");
        assertThat(health.permitWait().timers()).isEqualTo(4);
        assertThat(health.permitWait().since()).isBetween(begun, begun.plus(SECOND));
        advance(Duration.ofMinutes(10));
        assertThat(limited.kit.scheduler().admin().health().queues().get(0).permitWait())
                .isNull();
        assertDeliveredOnce(5);
    }

    @Test
    void anOutageOfTheStoreLetsNoNodeExceedTheLimit() {
        nodes(3, queue -> queue.rateLimit(RATE));
        limited.due(4_000, "t", each -> each);
        advance(SECOND.multipliedBy(5));
        limited.kit.node(1).storeDown();
        advance(LEASE.multipliedBy(2));
        limited.kit.node(1).storeUp();
        advance(SECOND.multipliedBy(10));

        assertWithin(RATE, limited.began);
    }

    @Test
    void aLostReplyOfAnExchangeLetsNoNodeExceedTheLimit() {
        nodes(3, queue -> queue.rateLimit(RATE).concurrencyLimit(9));
        limited.due(2_000, "t", each -> each);
        for (int i = 0; i < 20; i++) {
            limited.kit.node(i % 3).failAfter(StoreCall.CHANGE_PERMITS);
            limited.kit.node((i + 1) % 3).failBefore(StoreCall.CHANGE_PERMITS);
            advance(Duration.ofMillis(700));
        }
        advance(SECOND.multipliedBy(60));

        assertWithin(RATE, limited.began);
        assertThat(limited.mostRunning()).isLessThanOrEqualTo(9);
        assertThat(limited.began).extracting(Began::id).doesNotHaveDuplicates().hasSize(2_000);
    }
}
