package dev.duetime.testkit;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.fault.NodeCrash;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KitNodeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final TimerKey KEY = TimerKey.of("a");

    private final TimerKit kit = TimerKit.create();
    private final KitNode node = kit.node(0);

    private void schedule(Duration delay) {
        kit.scheduler().schedule(KEY, delay, null);
    }

    private TimerState state() {
        return kit.store().find(KEY).orElseThrow().state();
    }

    @Nested
    class ACrash {
        @Test
        void endsAllLoopsAndReleasesNothing() {
            schedule(SECOND);
            node.crash();
            kit.advance(Duration.ofHours(1));
            assertThat(kit).hasDeliveredNothing();
            assertThat(kit.store().leases().view("default").leases())
                    .allMatch(lease -> String.valueOf(lease.owner()).startsWith(node.id() + "-"));
            assertThat(node.isCrashed()).isTrue();
        }

        @Test
        void leavesACallerOfTheDeadSchedulerWithACrash() {
            node.crash();
            assertThatThrownBy(() -> schedule(SECOND))
                    .isInstanceOf(NodeCrash.class)
                    .hasMessage("node node-0 crashed");
            assertThat(kit.store().find(KEY)).isEmpty();
        }

        @Test
        void insideThePublisherEndsTheTurnThere() {
            List<String> after = new ArrayList<>();
            kit.publisher().onEach(envelope -> {
                node.crash();
                after.add("unreachable");
            });
            schedule(SECOND);
            kit.advance(SECOND);
            assertThat(kit).hasDelivered("a");
            assertThat(after).isEmpty();
            assertThat(state()).isEqualTo(TimerState.SCHEDULED);
        }

        @Test
        void beforeAStoreCallLeavesItUndone() {
            schedule(SECOND);
            node.crashBefore(StoreCall.SETTLE);
            kit.advance(SECOND);
            assertThat(kit).hasDeliveredOnce("a");
            assertThat(state()).isEqualTo(TimerState.SCHEDULED);
            assertThat(node.isCrashed()).isTrue();
        }

        @Test
        void afterAStoreCallLeavesItDone() {
            schedule(SECOND);
            node.crashAfter(StoreCall.SETTLE);
            kit.advance(SECOND);
            assertThat(state()).isEqualTo(TimerState.REACHED);
            assertThat(node.isCrashed()).isTrue();
        }

        @Test
        void inACallOfTheTestReachesTheTest() {
            node.crashAfter(StoreCall.SCHEDULE);
            assertThatThrownBy(() -> schedule(SECOND)).isInstanceOf(NodeCrash.class);
            assertThat(state()).isEqualTo(TimerState.SCHEDULED);
        }

        @Test
        void isFollowedByAnotherProcessOfTheSameName() {
            schedule(SECOND);
            node.crash();
            Scheduler dead = node.scheduler();
            node.restart();
            kit.advance(SECOND);
            assertThat(kit).hasDeliveredOnce("a");
            assertThat(node.scheduler()).isNotSameAs(dead).isSameAs(kit.scheduler());
            assertThat(node.isCrashed()).isFalse();
        }

        @Test
        void drawsNoGenerationTwiceAfterARestart() {
            long before =
                    kit.scheduler().schedule(Timer.after("x", SECOND).build()).generation();
            node.restart();
            long after =
                    kit.scheduler().schedule(Timer.after("y", SECOND).build()).generation();
            assertThat(after).isNotEqualTo(before);
        }
    }

    @Nested
    class AFailure {
        @Test
        void beforeAStoreCallLeavesItUndone() {
            node.failBefore(StoreCall.SCHEDULE);
            assertThatThrownBy(() -> schedule(SECOND))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("schedule by node node-0 failed: no connection");
            assertThat(kit.store().find(KEY)).isEmpty();
        }

        @Test
        void afterAStoreCallLeavesItDone() {
            node.failAfter(StoreCall.SCHEDULE);
            assertThatThrownBy(() -> schedule(SECOND)).hasMessage("schedule by node node-0 failed: the reply was lost");
            assertThat(state()).isEqualTo(TimerState.SCHEDULED);
        }

        @Test
        void happensOnceAndTheNextCallSucceeds() {
            node.failBefore(StoreCall.SCHEDULE);
            assertThatThrownBy(() -> schedule(SECOND)).isInstanceOf(StoreException.class);
            schedule(SECOND);
            assertThat(state()).isEqualTo(TimerState.SCHEDULED);
        }

        @Test
        void affectsOnlyTheGivenKindOfCall() {
            node.failBefore(StoreCall.CANCEL);
            schedule(SECOND);
            assertThatThrownBy(() -> kit.scheduler().cancel(KEY)).isInstanceOf(StoreException.class);
        }

        @Test
        void lastsWhileTheStoreIsDown() {
            node.storeDown();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> kit.scheduler().find(KEY))
                        .hasMessage("find by node node-0 failed: store is unavailable");
            }
            node.storeUp();
            assertThat(kit.scheduler().find(KEY)).isEmpty();
        }

        @Test
        void reachesCallsInsideATransactionToo() {
            node.failBefore(StoreCall.SCHEDULE);
            try (InMemoryTransaction transaction = kit.begin()) {
                assertThatThrownBy(() -> kit.scheduler().in(transaction).schedule(KEY, SECOND, null))
                        .isInstanceOf(StoreException.class);
            }
        }
    }

    @Test
    void callsToTheStoreAreCountedWhateverTheirOutcome() {
        node.failBefore(StoreCall.SCHEDULE);
        assertThatThrownBy(() -> schedule(SECOND)).isInstanceOf(StoreException.class);
        schedule(SECOND);
        assertThat(node.calls(StoreCall.SCHEDULE)).isEqualTo(2);
        assertThat(node.calls(StoreCall.CANCEL)).isZero();
        node.restart();
        assertThat(node.calls(StoreCall.SCHEDULE)).isZero();
    }

    @Nested
    class SeveralNodes {
        @Test
        void shareStoreClockAndPublisher() {
            KitNode other = kit.addNode();
            other.scheduler().schedule(KEY, SECOND, null);
            assertThat(kit.scheduler().find(KEY)).isPresent();
            kit.advance(Duration.ofSeconds(6));
            assertThat(kit).hasDeliveredOnce("a");
            assertThat(kit.nodes()).containsExactly(node, other);
            assertThat(other.id()).isEqualTo("node-1");
        }

        @Test
        void mayHaveSettingsOfTheirOwn() {
            InMemoryPublisher own = new InMemoryPublisher();
            kit.addNode(scheduler -> scheduler.publisher(own));
            node.close();
            schedule(SECOND);
            kit.advance(Duration.ofMinutes(1));
            assertThat(own).hasDelivered("a");
            assertThat(kit).hasDeliveredNothing();
        }

        @Test
        void canCrashOneByOne() {
            KitNode other = kit.addNode();
            node.crash();
            other.scheduler().schedule(KEY, SECOND, null);
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit).hasDeliveredOnce("a");
            assertThat(other.isCrashed()).isFalse();
        }

        @Test
        void canBePausedOneByOne() {
            schedule(SECOND);
            kit.addNode();
            node.pause();
            kit.advance(SECOND);
            assertThat(kit).hasDeliveredNothing();
            node.resume();
            kit.runDue();
            assertThat(kit).lastOf("a").wasReachedAt(kit.now());
        }
    }
}
