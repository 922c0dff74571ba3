package dev.duetime.specification.outage;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that the engine survives failures of the store, whichever call they affect. */
class StoreOutageTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TimerKit kit = TimerKit.builder().nodes(2).build();
    private final KitNode node = kit.node(0);

    private void scheduleOneASecond(int count) {
        for (int i = 1; i <= count; i++) {
            kit.scheduler()
                    .schedule(Timer.after("t-" + i, SECOND.multipliedBy(i)).build());
        }
    }

    private TimerState state(String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow().state();
    }

    private void assertEachDeliveredOnce(int count) {
        assertThat(kit).hasDeliveredCount(count);
        assertThat(kit.delivered()).extracting(Envelope::id).doesNotHaveDuplicates();
        for (int i = 1; i <= count; i++) {
            assertThat(state("t-" + i)).isEqualTo(TimerState.REACHED);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DUE", "NEXT_DUE", "SETTLE", "RENEW", "VIEW", "ACQUIRE", "RELEASE", "FREE", "PURGE"})
    void aFailedCallIsRepeatedWithoutLossOrDuplicate(StoreCall call) {
        scheduleOneASecond(60);
        node.failBefore(call);
        kit.node(1).failBefore(call);
        kit.advance(SECOND.multipliedBy(70));
        assertEachDeliveredOnce(60);
    }

    @ParameterizedTest
    @EnumSource(names = {"DUE", "NEXT_DUE", "SETTLE", "RENEW", "VIEW", "ACQUIRE", "RELEASE", "FREE", "PURGE"})
    void aCallWithALostReplyIsRepeatedWithoutLossOrDuplicate(StoreCall call) {
        scheduleOneASecond(60);
        node.failAfter(call);
        kit.node(1).failAfter(call);
        kit.advance(SECOND.multipliedBy(70));
        assertEachDeliveredOnce(60);
    }

    @ParameterizedTest
    @EnumSource(names = {"DUE", "NEXT_DUE", "SETTLE", "RENEW", "VIEW", "ACQUIRE", "RELEASE", "FREE", "PURGE"})
    void aCallThatFailsForMinutesIsSurvived(StoreCall call) {
        scheduleOneASecond(60);
        kit.advance(SECOND.multipliedBy(5));
        kit.nodes().forEach(each -> each.storeDown(which -> which == call));
        kit.advance(Duration.ofMinutes(5));
        kit.nodes().forEach(KitNode::storeUp);
        kit.advance(Duration.ofSeconds(30));
        for (int i = 1; i <= 60; i++) {
            assertThat(state("t-" + i)).isEqualTo(TimerState.REACHED);
        }
        assertThat(kit.delivered()).extracting(Envelope::id).doesNotHaveDuplicates();
    }

    @Nested
    class OfOneNode {
        private final TimerKit single = TimerKit.create();
        private final KitNode alone = single.node(0);

        @Test
        void timersDueMeanwhileAreDeliveredWithinTwoSeconds() {
            single.scheduler().schedule(Timer.after("a", SECOND).build());
            alone.storeDown();
            single.advance(Duration.ofMinutes(10));
            assertThat(single).hasDeliveredNothing();
            alone.storeUp();
            single.advance(Duration.ofSeconds(2));
            assertThat(single).hasDeliveredOnce("a");
        }

        @Test
        void theStoreIsRetriedOnlyAFewTimesASecond() {
            single.scheduler().schedule(Timer.after("a", SECOND).build());
            alone.storeDown();
            single.advance(Duration.ofHours(1));
            assertThat(alone.calls(StoreCall.DUE)).isLessThan(2 * 3_600);
            assertThat(alone.calls(StoreCall.RENEW)).isLessThan(2 * 3_600);
        }

        @Test
        void aFailureAtTheStartIsSurvived() {
            TimerKit late = TimerKit.builder().notStarted().build();
            late.node(0).storeDown();
            late.node(0).start();
            late.advance(Duration.ofMinutes(1));
            late.node(0).storeUp();
            late.scheduler().schedule(Timer.after("a", Duration.ofSeconds(2)).build());
            late.advance(Duration.ofSeconds(2));
            assertThat(late).lastOf("a").wasReachedAt(late.now());
        }
    }

    @Nested
    class OfSettling {
        private final RecordingListener listener = new RecordingListener();
        private final TimerKit single = TimerKit.builder()
                .configure(scheduler -> scheduler.listener(listener))
                .build();
        private final KitNode alone = single.node(0);

        private TimerState stateOfA() {
            return single.store().find(TimerKey.of("a")).orElseThrow().state();
        }

        @Test
        void aDeliveredBatchIsSettledLaterAndNotPublishedAgain() {
            single.scheduler().schedule(Timer.after("a", SECOND).build());
            alone.storeDown(call -> call == StoreCall.SETTLE);
            single.advance(Duration.ofSeconds(8));
            assertThat(single).hasDeliveredOnce("a");
            assertThat(stateOfA()).isEqualTo(TimerState.SCHEDULED);
            alone.storeUp();
            single.advance(SECOND);
            assertThat(single).hasDeliveredOnce("a");
            assertThat(stateOfA()).isEqualTo(TimerState.REACHED);
            assertThat(single.publisher().calls()).isEqualTo(1);
        }

        @Test
        void aSettlementWithALostReplyIsRepeatedWithoutHarm() {
            single.scheduler().schedule(Timer.after("a", SECOND).build());
            alone.failAfter(StoreCall.SETTLE);
            single.advance(Duration.ofSeconds(8));
            assertThat(single).hasDeliveredOnce("a");
            assertThat(stateOfA()).isEqualTo(TimerState.REACHED);
        }

        @Test
        void aLateSettlementDoesNotTouchANewerSchedule() {
            single.scheduler().schedule(Timer.after("a", SECOND).build());
            alone.storeDown(call -> call == StoreCall.SETTLE);
            single.advance(SECOND);
            single.scheduler().schedule(Timer.after("a", Duration.ofMinutes(5)).build());
            alone.storeUp();
            single.advance(Duration.ofMinutes(1));
            assertThat(stateOfA()).isEqualTo(TimerState.SCHEDULED);
            assertThat(listener.overtaken).isEqualTo(1);
            single.advance(Duration.ofMinutes(5));
            assertThat(single.delivered("a")).hasSize(2);
            assertThat(stateOfA()).isEqualTo(TimerState.REACHED);
        }
    }
}
