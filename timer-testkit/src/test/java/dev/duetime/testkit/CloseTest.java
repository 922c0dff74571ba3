package dev.duetime.testkit;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.ShardMap.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Specifies closing: before the start, twice, in mid-delivery, and what it leaves behind. */
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
    void closingBeforeTheStartIsLegalAndTheSchedulerCannotBeStartedThen() {
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
    void aNodeThatComesThenHasThemAtOnce() {
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
    void whatWasDeliveredButNotSettledIsSettledOnClosingIfTheStoreIsBack() {
        schedule(1);
        kit.node(0).failBefore(StoreCall.SETTLE);
        kit.advance(SECOND);
        assertThat(state("t-0")).isEqualTo(TimerState.SCHEDULED);
        kit.scheduler().close();
        assertThat(state("t-0")).isEqualTo(TimerState.REACHED);
    }

    @Nested
    class InMidDelivery {
        @Test
        void fromInsideThePublisherTheBatchIsFinishedAndSettledAndNoOtherIsTaken() {
            kit.publisher().onEach(envelope -> kit.scheduler().close());
            schedule(30);
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit).hasDeliveredCount(10);
            assertThat(kit.delivered())
                    .allSatisfy(each -> assertThat(state(each.key().timerId())).isEqualTo(TimerState.REACHED));
        }

        @Test
        void fromInsideThePublisherTheRestIsLeftToOthers() {
            kit.publisher().onEach(envelope -> kit.node(0).close());
            schedule(30);
            kit.advance(SECOND);
            kit.addNode();
            kit.advance(Duration.ofSeconds(20));
            assertThat(kit).hasDeliveredCount(30);
        }

        @Test
        void fromInsideThePublisherTheShardsAreReleasedWhenTheBatchIsOver() {
            kit.publisher().onEach(envelope -> kit.node(0).close());
            schedule(1);
            kit.advance(SECOND);
            assertThat(held()).isEmpty();
        }

        @Test
        void fromAnotherThreadItWaitsForTheBatchSettlesItAndReleasesTheShards() throws InterruptedException {
            List<String> order = new ArrayList<>();
            Thread closer = new Thread(() -> {
                kit.scheduler().close();
                order.add("closed, holding " + held().size() + " shards, t-0 " + state("t-0"));
            });
            kit.publisher().onEach(envelope -> {
                closer.start();
                awaitWaiting(closer);
                order.add("published");
            });
            schedule(1);
            kit.advance(SECOND);
            closer.join();
            assertThat(order).containsExactly("published", "closed, holding 0 shards, t-0 REACHED");
        }

        @Test
        void aPublisherThatOutlastsTheLimitIsInterruptedAndTheTimerIsDeliveredByAnother() throws InterruptedException {
            TimerKit impatient = TimerKit.builder()
                    .configure(scheduler -> scheduler.closeTimeout(Duration.ZERO))
                    .build();
            Thread closer = new Thread(() -> impatient.scheduler().close());
            KitNode stuck = impatient.node(0);
            InMemoryPublisher healthy = new InMemoryPublisher();
            impatient.publisher().onEach(envelope -> {
                closer.start();
                hang();
            });
            stuck.scheduler().schedule(Timer.after("t-0", SECOND).build());
            impatient.advance(SECOND);
            closer.join();
            impatient.addNode(scheduler -> scheduler.publisher(healthy));
            impatient.advance(Duration.ofSeconds(20));
            assertThat(healthy).hasDeliveredOnce("t-0");
        }

        private static void hang() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }

        private static void awaitWaiting(Thread thread) {
            while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
    }
}
