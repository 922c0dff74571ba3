package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Scheduler;
import dev.duetime.SystemClock;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.listener.NodeListener;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap.Lease;
import dev.duetime.testkit.PassThroughLeases;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of closing: before the start, twice, with a store that is away, and what it leaves behind. */
class CloseTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TimerKit kit =
            TimerKit.builder().configure(scheduler -> scheduler.batchSize(10)).build();

    private void schedule(int count) {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> Timer.after("t-" + i, SECOND).build())
                        .toList());
    }

    private TimerState state(String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow().state();
    }

    private List<Lease> held() {
        return kit.store().leases().view("default").leases().stream()
                .filter(lease -> lease.owner() != null)
                .toList();
    }

    @Test
    void aSchedulerClosedBeforeItsStartCannotBeStarted() {
        TimerKit fresh = TimerKit.builder().notStarted().build();
        fresh.scheduler().close();
        assertThatThrownBy(() -> fresh.scheduler().start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void closingTwiceDoesNothing() {
        kit.scheduler().close();
        int releases = kit.node(0).calls(StoreCall.RELEASE);
        assertThatCode(() -> kit.scheduler().close()).doesNotThrowAnyException();
        assertThat(kit.node(0).calls(StoreCall.RELEASE)).isEqualTo(releases);
    }

    @Test
    void startingTwiceDoesNothing() {
        kit.scheduler().start();
        schedule(1);
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredOnce("t-0");
    }

    @Test
    void nothingIsDeliveredAfterwards() {
        schedule(1);
        kit.scheduler().close();
        kit.advance(Duration.ofHours(1));
        assertThat(kit).hasDeliveredNothing();
        assertThat(state("t-0")).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void shardsAreReleased() {
        assertThat(held()).hasSize(4);
        kit.scheduler().close();
        assertThat(held()).isEmpty();
    }

    @Test
    void aNodeThatStartsAfterwardsHasTheShardsAtOnce() {
        schedule(5);
        kit.scheduler().close();
        kit.addNode();
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredCount(5);
        assertThat(kit.delivered())
                .allSatisfy(each -> assertThat(each).wasReachedAt(kit.now()).hasAttempt(1));
    }

    @Test
    void schedulingCancellingAndFindingStillWork() {
        kit.scheduler().close();
        assertThat(kit.scheduler().schedule(Timer.after("a", SECOND).build())).isCreated();
        assertThat(kit.scheduler().find(TimerKey.of("a"))).isPresent();
        kit.scheduler().cancel(TimerKey.of("a"));
        assertThat(state("a")).isEqualTo(TimerState.CANCELLED);
    }

    @Test
    void aStoreThatIsAwayDoesNotKeepANodeFromClosing() {
        kit.node(0).storeDown();
        assertThatCode(() -> kit.scheduler().close()).doesNotThrowAnyException();
    }

    @Test
    void openOutcomesAreSettledOnClosing() {
        schedule(1);
        kit.node(0).failBefore(StoreCall.SETTLE);
        kit.advance(SECOND);
        assertThat(state("t-0")).isEqualTo(TimerState.SCHEDULED);
        kit.scheduler().close();
        assertThat(state("t-0")).isEqualTo(TimerState.REACHED);
    }

    /** Uses real threads. The calls of the store hang, as calls of a database do when its host is cut off. */
    @Test
    void aStoreThatHangsDoesNotKeepANodeFromClosing() throws InterruptedException {
        SystemClock clock = new SystemClock();
        CountDownLatch hangs = new CountDownLatch(1);
        InMemoryScheduleStore intact = new InMemoryScheduleStore(clock);
        PassThroughStore store = new PassThroughStore(intact) {
            @Override
            public ShardLeases leases() {
                return new PassThroughLeases(intact.leases()) {
                    @Override
                    public void release(String queue, Collection<Integer> shards, String node) {
                        hang(hangs);
                        super.release(queue, shards, node);
                    }
                };
            }
        };
        CountDownLatch owns = new CountDownLatch(1);
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .clock(clock)
                .closeTimeout(Duration.ZERO)
                .publisher(batch -> {})
                .listener(new NodeListener() {
                    @Override
                    public void shardsAcquired(String queue, int count, int owned) {
                        owns.countDown();
                    }
                })
                .build();
        scheduler.start();
        assertThat(owns.await(30, TimeUnit.SECONDS)).isTrue();
        try {
            Thread closer = new Thread(scheduler::close);
            closer.start();
            closer.join(30_000);
            assertThat(closer.isAlive()).isFalse();
        } finally {
            hangs.countDown();
        }
    }

    private static void hang(CountDownLatch hangs) {
        boolean interrupted = false;
        while (hangs.getCount() > 0) {
            try {
                hangs.await();
            } catch (InterruptedException e) {
                // A driver that reads from a socket ignores the interrupt, too.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
