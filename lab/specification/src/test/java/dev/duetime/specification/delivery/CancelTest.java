package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.CancelResult;
import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of cancelling before, during and after a delivery, on the node that delivers and on others. */
class CancelTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final TimerKey KEY = TimerKey.of("a");

    private final RecordingListener listener = new RecordingListener();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.listener(listener))
            .build();
    private final List<CancelResult> results = new ArrayList<>();

    private void schedule(Duration delay) {
        kit.scheduler().schedule(KEY, delay, null);
    }

    private TimerState state() {
        return kit.store().find(KEY).orElseThrow().state();
    }

    @Test
    void aCancelledTimerIsNotDelivered() {
        schedule(SECOND);
        assertThat(kit.scheduler().cancel(KEY)).isEqualTo(CancelResult.CANCELLED);
        kit.advance(Duration.ofHours(1));
        assertThat(kit).hasDeliveredNothing();
        assertThat(state()).isEqualTo(TimerState.CANCELLED);
    }

    @Test
    void otherTimersAreStillDelivered() {
        schedule(SECOND);
        kit.scheduler().schedule(TimerKey.of("b"), SECOND, null);
        kit.scheduler().schedule(TimerKey.of("acme", "a"), SECOND, null);
        kit.scheduler().cancel(KEY);
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredCount(2).hasNotDelivered("a");
    }

    @Test
    void aDueTimerThatIsNotInDeliveryCanStillBeCancelled() {
        schedule(SECOND);
        kit.node(0).pause();
        kit.advance(Duration.ofSeconds(2));
        assertThat(kit.scheduler().cancel(KEY)).isEqualTo(CancelResult.CANCELLED);
        kit.node(0).resume();
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit).hasDeliveredNothing();
    }

    @Test
    void aCancelIsTooLateDuringTheDeliveryOnThisNode() {
        kit.publisher().onEach(envelope -> results.add(kit.scheduler().cancel(KEY)));
        schedule(SECOND);
        kit.advance(SECOND);
        assertThat(results).containsExactly(CancelResult.TOO_LATE);
        assertThat(state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void aRescheduledTimerCanBeCancelledDuringItsFormerDelivery() {
        kit.publisher().onEach(envelope -> {
            schedule(Duration.ofMinutes(1));
            results.add(kit.scheduler().cancel(KEY));
        });
        schedule(SECOND);
        kit.advance(Duration.ofHours(1));
        assertThat(results).containsExactly(CancelResult.CANCELLED);
        assertThat(kit).hasDeliveredOnce("a");
        assertThat(state()).isEqualTo(TimerState.CANCELLED);
    }

    @Test
    void aTimerRescheduledElsewhereCanBeCancelledDuringItsFormerDelivery() {
        KitNode other = kit.addNode();
        kit.publisher().onEach(envelope -> {
            other.scheduler().schedule(KEY, Duration.ofMinutes(1), null);
            results.add(kit.scheduler().cancel(KEY));
        });
        schedule(SECOND);
        kit.advance(Duration.ofHours(1));
        assertThat(results).containsExactly(CancelResult.CANCELLED);
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aCancelIsTooLateWhileADeliveryIsStillToBeSettled() {
        kit.node(0).storeDown(call -> call == StoreCall.SETTLE);
        schedule(SECOND);
        kit.advance(SECOND);
        assertThat(kit.scheduler().cancel(KEY)).isEqualTo(CancelResult.TOO_LATE);
        kit.node(0).storeUp();
        kit.advance(SECOND);
        assertThat(state()).isEqualTo(TimerState.REACHED);
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aCancelIsTooLateAfterTheDelivery() {
        schedule(SECOND);
        kit.advance(SECOND);
        assertThat(kit.scheduler().cancel(KEY)).isEqualTo(CancelResult.TOO_LATE);
        assertThat(state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void anUnknownTimerIsNotFound() {
        schedule(SECOND);
        assertThat(kit.scheduler().cancel(TimerKey.of("acme", "a"))).isEqualTo(CancelResult.NOT_FOUND);
        assertThat(kit.scheduler().cancel(TimerKey.of("b"))).isEqualTo(CancelResult.NOT_FOUND);
    }

    @Test
    void aTimerBetweenTwoAttemptsCanBeCancelled() {
        kit.publisher().failPartiallyOn(envelope -> envelope.key().equals(KEY));
        schedule(SECOND);
        kit.scheduler().schedule(TimerKey.of("b"), SECOND, null);
        kit.advance(SECOND);
        assertThat(kit.scheduler().cancel(KEY)).isEqualTo(CancelResult.CANCELLED);
        kit.publisher().recover();
        kit.advance(Duration.ofHours(1));
        assertThat(kit).hasDeliveredInOrder("b");
    }

    @Test
    void aTimerDelayedByAnOutageCanBeCancelled() {
        kit.publisher().failAlways();
        schedule(SECOND);
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit.scheduler().cancel(KEY)).isEqualTo(CancelResult.CANCELLED);
        kit.publisher().recover();
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit).hasDeliveredNothing();
    }

    @Test
    void aCancelledTimerCanBeScheduledAgain() {
        schedule(SECOND);
        kit.scheduler().cancel(KEY);
        assertThat(kit.scheduler().schedule(KEY, Duration.ofSeconds(2), null)).isCreated();
        kit.advance(Duration.ofSeconds(2));
        assertThat(kit).hasDeliveredOnce("a");
        assertThat(kit).lastOf("a").wasReachedAt(kit.now());
    }

    @Test
    void aCancellationThatFailedLeavesTheTimerToFire() {
        schedule(SECOND);
        kit.node(0).failBefore(StoreCall.CANCEL);
        assertThatThrownBy(() -> kit.scheduler().cancel(KEY)).isInstanceOf(StoreException.class);
        kit.advance(SECOND);
        assertThat(kit).lastOf("a").wasReachedAt(kit.now());
    }

    @Test
    void aDeliveryInFlightElsewhereStillArrivesAndChangesNothing() {
        KitNode other = kit.addNode();
        kit.advance(Duration.ofMillis(1));
        kit.publisher().onEach(envelope -> results.add(other.scheduler().cancel(KEY)));
        schedule(SECOND);
        kit.advance(SECOND);
        assertThat(results).containsExactly(CancelResult.CANCELLED);
        assertThat(kit).hasDeliveredOnce("a");
        assertThat(state()).isEqualTo(TimerState.CANCELLED);
        assertThat(listener.overtaken).isEqualTo(1);
        kit.advance(Duration.ofHours(1));
        assertThat(kit).hasDeliveredOnce("a");
    }
}
