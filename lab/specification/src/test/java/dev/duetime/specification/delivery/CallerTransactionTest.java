package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.CancelResult;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.Timers;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of scheduling and cancelling inside a transaction that the caller owns. */
class CallerTransactionTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final TimerKey KEY = TimerKey.of("a");

    private final TimerKit kit = TimerKit.create();
    private final InMemoryTransaction transaction = kit.begin();
    private final Timers joined = kit.scheduler().in(transaction);

    @Test
    void aTimerIsVisibleInsideOnlyUntilTheCommit() {
        assertThat(joined.schedule(KEY, SECOND, null)).isCreated();
        assertThat(joined.find(KEY)).isPresent();
        assertThat(kit.scheduler().find(KEY)).isEmpty();
        transaction.commit();
        assertThat(kit.scheduler().find(KEY)).isPresent();
    }

    @Test
    void aCommittedTimerFiresAtItsTime() {
        joined.schedule(KEY, SECOND, null);
        transaction.commit();
        kit.advance(SECOND);
        assertThat(kit).lastOf("a").wasReachedAt(TestClock.START.plus(SECOND));
    }

    @Test
    void aTimerThatIsRolledBackNeverFires() {
        joined.schedule(KEY, SECOND, null);
        transaction.rollback();
        kit.advance(Duration.ofHours(1));
        assertThat(kit).hasDeliveredNothing();
    }

    @Test
    void nothingFiresBeforeTheCommit() {
        joined.schedule(KEY, SECOND, null);
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit).hasDeliveredNothing();
    }

    @Test
    void aTimerCommittedBeforeItIsDueIsOnTime() {
        joined.schedule(KEY, Duration.ofSeconds(2), null);
        kit.advance(SECOND);
        transaction.commit();
        kit.advance(SECOND);
        assertThat(kit).lastOf("a").wasReachedAt(TestClock.START.plusSeconds(2));
    }

    @Test
    void aTimerCommittedSoonAfterItsDueTimeFiresAtOnce() {
        joined.schedule(KEY, Duration.ZERO, null);
        kit.advance(Duration.ofMillis(20));
        transaction.commit();
        kit.advance(Duration.ofMillis(20));
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aTimerCommittedLateFiresWithinThePollingInterval() {
        joined.schedule(KEY, Duration.ZERO, null);
        kit.advance(Duration.ofMinutes(10));
        transaction.commit();
        kit.advance(Duration.ofSeconds(5));
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void waitingForACommitThatNeverComesCostsFewReads() {
        kit.clock().everyTurn(true);
        joined.schedule(KEY, Duration.ZERO, null);
        kit.advance(Duration.ofMinutes(10));
        assertThat(kit.node(0).calls(StoreCall.NEXT_DUE)).isBetween(119, 140);
    }

    @Test
    void aCancellationIsUndoneByARollback() {
        kit.scheduler().schedule(KEY, SECOND, null);
        InMemoryTransaction later = kit.begin();
        assertThat(kit.scheduler().in(later).cancel(KEY)).isEqualTo(CancelResult.CANCELLED);
        later.rollback();
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aCommittedCancellationHolds() {
        kit.scheduler().schedule(KEY, SECOND, null);
        InMemoryTransaction later = kit.begin();
        kit.scheduler().in(later).cancel(KEY);
        later.commit();
        kit.advance(Duration.ofHours(1));
        assertThat(kit).hasDeliveredNothing();
        assertThat(kit.scheduler().find(KEY).orElseThrow().state()).isEqualTo(TimerState.CANCELLED);
    }

    @Test
    void aPublisherMayUseItsOwnTransaction() {
        kit.publisher().onEach(envelope -> {
            if (envelope.key().equals(KEY)) {
                try (InMemoryTransaction own = kit.begin()) {
                    kit.scheduler().in(own).schedule(Timer.after("b", SECOND).build());
                    own.commit();
                }
            }
        });
        kit.scheduler().schedule(KEY, SECOND, null);
        kit.advance(Duration.ofSeconds(2));
        assertThat(kit).hasDeliveredInOrder("a", "b");
        assertThat(kit).lastOf("b").wasReachedAt(TestClock.START.plusSeconds(2));
    }

    @Test
    void aTransactionOfAnotherStoreIsRefused() {
        TimerKit other = TimerKit.create();
        assertThatThrownBy(() -> kit.scheduler().in(other.begin())).isInstanceOf(IllegalArgumentException.class);
    }
}
