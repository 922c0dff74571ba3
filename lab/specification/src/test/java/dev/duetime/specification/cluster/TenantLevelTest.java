package dev.duetime.specification.cluster;

import static dev.duetime.specification.cluster.LimitKit.QUEUE;
import static dev.duetime.specification.cluster.LimitKit.assertWithin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.store.Permits;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of what each tenant keeps of its rate while units move between nodes. */
class TenantLevelTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration WHILE = SECOND.multipliedBy(15);

    @SuppressWarnings("NullAway") // each test begins with nodes()
    private LimitKit limited;

    private int numbers;

    private void nodes(int count, Consumer<QueueBuilder> queue) {
        limited = new LimitKit(
                count, scheduler -> scheduler.concurrency(4).batchSize(5).queue(QUEUE, queue));
    }

    @AfterEach
    void close() {
        limited.close();
    }

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

    private void advance(Duration time) {
        limited.kit.advance(time);
    }

    private void restart(int node) {
        limited.kit.node(node).close();
        limited.kit.node(node).restart();
    }

    @Test
    void aTenantKeepsItsBurstWhenAnotherOnesNodeCloses() {
        RateLimit limit = RateLimit.perHour(6);
        nodes(2, queue -> queue.tenantRateLimit(limit));
        dueOf("a", 0, 3);
        dueOf("a", 1, 3);
        advance(WHILE);
        assertThat(limited.ofTenant("a")).hasSize(6);

        limited.kit.node(0).close();
        advance(SECOND);
        dueOf("b", 1, 6);
        dueOf("a", 1, 1);
        advance(WHILE);

        assertThat(limited.ofTenant("b")).hasSize(6);
        assertThat(limited.ofTenant("a")).hasSize(6);
    }

    @Test
    void aTenantKeepsItsBurstThroughARestart() {
        RateLimit limit = RateLimit.of(1, Duration.ofDays(1));
        nodes(1, queue -> queue.tenantRateLimit(limit));
        dueOf("a", 0, 1);
        advance(WHILE);
        restart(0);
        advance(SECOND);
        dueOf("b", 0, 1);
        dueOf("a", 0, 1);
        advance(WHILE);

        assertThat(limited.ofTenant("b")).hasSize(1);
        assertThat(limited.ofTenant("a")).hasSize(1);
    }

    @Test
    void aTenantKeepsItsBurstWhileTheOnlyUnitMoves() {
        RateLimit limit = RateLimit.perHour(1);
        nodes(3, queue -> queue.tenantRateLimit(limit));
        for (int i = 0; i < 12; i++) {
            dueOf("a" + i, i % 3, 2);
            dueOf("b" + i, (i + 1) % 3, 1);
            advance(SECOND.multipliedBy(30));
        }

        for (int i = 0; i < 12; i++) {
            assertThat(limited.ofTenant("a" + i)).as("a" + i).hasSize(1);
            assertThat(limited.ofTenant("b" + i)).as("b" + i).hasSize(1);
        }
    }

    @Test
    void aTenantUsesItsRateWhileTheOnlyUnitMoves() {
        RateLimit limit = RateLimit.perMinute(1);
        nodes(2, queue -> queue.tenantRateLimit(limit));
        dueOf("a", 0, 40);
        dueOf("a", 1, 40);
        for (int i = 0; i < 30; i++) {
            dueOf("b" + i, i % 2, 1);
            advance(Duration.ofMinutes(1));
        }

        assertWithin(limit, limited.ofTenant("a"));
        assertThat(limited.ofTenant("a").size()).isBetween(28, 31);
    }

    @Test
    void aSlowStoreNeitherAddsNorTakesAwayPermits() {
        RateLimit limit = RateLimit.perMinute(1);
        SlowPermits store = new SlowPermits(new InMemoryScheduleStore(new TestClock()));
        limited = new LimitKit(store, 2, scheduler -> scheduler.queue(QUEUE, queue -> queue.tenantRateLimit(limit)));
        Instant start = limited.kit.now();
        store.call = () -> limited.kit.clock().linger(Duration.ofMillis(200));
        dueOf("a", 0, 40);
        dueOf("a", 1, 40);
        for (int i = 0; i < 30; i++) {
            dueOf("b" + i, i % 2, 1);
            advance(Duration.ofMinutes(1));
        }

        // The calls take time beyond that.
        int minutes = (int) Duration.between(start, limited.kit.now()).toMinutes();
        assertWithin(limit, limited.ofTenant("a"));
        assertThat(limited.ofTenant("a").size()).isBetween(minutes * 9 / 10, minutes + 2);
    }

    @Test
    void anOldNodeBesideNewOnesExceedsNoRate() {
        RateLimit limit = RateLimit.perHour(2);
        OldNodes store = new OldNodes(new InMemoryScheduleStore(new TestClock()));
        limited = new LimitKit(store, 1, scheduler -> scheduler.queue(QUEUE, queue -> queue.tenantRateLimit(limit)));
        dueOf("a", 0, 2);
        advance(WHILE);
        assertThat(limited.ofTenant("a")).hasSize(2);

        limited.kit.node(0).close();
        store.areOld = true;
        limited.kit.node(0).restart();
        dueOf("c", 0, 1);
        dueOf("a", 0, 1);
        advance(WHILE);
        assertThat(limited.ofTenant("a")).hasSize(2);
        advance(Duration.ofHours(2));
        dueOf("b", 0, 2);
        advance(WHILE);
        assertThat(limited.ofTenant("b")).hasSize(2);

        limited.kit.node(0).close();
        store.areOld = false;
        limited.kit.node(0).restart();
        dueOf("b", 0, 2);
        advance(WHILE);
        assertThat(limited.ofTenant("b")).hasSize(2);
    }

    /** A store that needs some time for each call for permits. */
    private static final class SlowPermits extends PassThroughStore {
        private Runnable call = () -> {};

        SlowPermits(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public Permits permits() {
            Permits permits = intact.permits();
            return new Permits() {
                @Override
                public List<Ledger> ledgers() {
                    List<Ledger> ledgers = permits.ledgers();
                    call.run();
                    return ledgers;
                }

                @Override
                public Set<Limit> change(Collection<Change> changes) {
                    call.run();
                    Set<Limit> written = permits.change(changes);
                    call.run();
                    return written;
                }
            };
        }
    }

    /** A store on which nodes may be of a version that knows no levels: they do not read them, and leave them there. */
    private static final class OldNodes extends PassThroughStore {
        private boolean areOld;

        OldNodes(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public Permits permits() {
            Permits permits = intact.permits();
            return new Permits() {
                @Override
                public List<Ledger> ledgers() {
                    return permits.ledgers().stream()
                            .map(each -> areOld
                                    ? new Ledger(each.limit(), each.version(), each.freeSince(), each.shares())
                                    : each)
                            .toList();
                }

                @Override
                public Set<Limit> change(Collection<Change> changes) {
                    return permits.change(changes.stream()
                            .map(each -> areOld ? leaveLevels(each) : each)
                            .toList());
                }

                private Change leaveLevels(Change change) {
                    return permits.ledgers().stream()
                            .filter(each -> each.limit().equals(change.limit()))
                            .map(each -> new Change(
                                    change.limit(),
                                    change.version(),
                                    change.freeSince(),
                                    change.share(),
                                    change.removed(),
                                    each.levels()))
                            .findFirst()
                            .orElse(change);
                }
            };
        }
    }
}
