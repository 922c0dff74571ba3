package dev.duetime.engine.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InFlightTest {
    private static final TimerKey KEY = TimerKey.of("a");
    private static final StoredTimer TIMER = timer(KEY);

    private final InFlight inFlight = new InFlight();

    @Test
    void aTimerInDeliveryIsNotCancelledUntilItsDeliveryEnds() {
        inFlight.beginRead();
        inFlight.begin(List.of(TIMER));

        assertThat(inFlight.beginCancel(KEY)).hasValue(TIMER.generation());
        inFlight.end(List.of(TIMER));
        assertThat(inFlight.beginCancel(KEY)).isEmpty();
    }

    @Test
    void aLateSettlementDoesNotEndTheDeliveryOfANewerGeneration() {
        StoredTimer newer = timer(KEY, TIMER.generation() + 1);
        inFlight.beginRead();
        inFlight.begin(List.of(TIMER));
        inFlight.begin(List.of(newer));

        inFlight.settled(List.of(new Settlement.Deleted(KEY, TIMER.generation())));

        assertThat(inFlight.beginCancel(KEY)).hasValue(newer.generation());
    }

    @Test
    void onlyTimersWithAnOwnerStayInDeliveryAfterAnError() {
        TimerKey replaced = TimerKey.of("replaced");
        TimerKey lost = TimerKey.of("lost");
        inFlight.begin(List.of(TIMER, timer(replaced), timer(lost)));
        inFlight.beginCancel(TimerKey.of("cancelling"));

        inFlight.keepOnly(owned -> {
            owned.keep(KEY, TIMER.generation());
            owned.keep(replaced, TIMER.generation() + 1);
            owned.keep(TimerKey.of("unknown"), TIMER.generation());
        });

        assertThat(inFlight.size()).isEqualTo(1);
        assertThat(inFlight.beginCancel(KEY)).hasValue(TIMER.generation());
        assertThat(inFlight.begin(timer(TimerKey.of("cancelling")))).isFalse();
    }

    @Test
    void aTimerThatIsBeingCancelledIsNotDelivered() {
        inFlight.beginCancel(KEY);
        inFlight.beginRead();

        assertThat(inFlight.begin(List.of(TIMER))).isEmpty();
    }

    @Test
    void aTimerThatWasCancelledAfterTheReadBeganIsNotDelivered() {
        inFlight.beginRead();
        inFlight.beginCancel(KEY);
        inFlight.endCancel(KEY);

        assertThat(inFlight.begin(List.of(TIMER))).isEmpty();
    }

    @Test
    void aTimerThatIsScheduledAgainAfterItsCancellationIsDelivered() {
        inFlight.beginCancel(KEY);
        inFlight.endCancel(KEY);
        inFlight.beginRead();

        assertThat(inFlight.begin(List.of(TIMER))).containsExactly(TIMER);
    }

    /** Otherwise the cancellations of a loop that reads nothing, as on a paused queue, would fill the memory. */
    @Test
    void aFinishedCancellationIsRememberedOnlyDuringARead() {
        inFlight.beginCancel(KEY);
        inFlight.endCancel(KEY);
        assertThat(inFlight.begin(List.of(TIMER))).containsExactly(TIMER);

        inFlight.beginRead();
        inFlight.endRead();
        inFlight.beginCancel(KEY);
        inFlight.endCancel(KEY);
        assertThat(inFlight.begin(List.of(TIMER))).containsExactly(TIMER);
    }

    @Test
    void aTimerIsNotDeliveredWhileOneOfTwoCancellationsRuns() {
        inFlight.beginCancel(KEY);
        inFlight.beginCancel(KEY);
        inFlight.endCancel(KEY);
        inFlight.beginRead();

        assertThat(inFlight.begin(List.of(TIMER))).isEmpty();
    }

    @Test
    void otherTimersAreNotAffected() {
        StoredTimer other = timer(TimerKey.of("b"));
        inFlight.beginCancel(KEY);
        inFlight.beginRead();

        assertThat(inFlight.begin(List.of(TIMER, other))).containsExactly(other);
        assertThat(inFlight.size()).isEqualTo(1);
    }

    private static StoredTimer timer(TimerKey key) {
        return timer(key, 1);
    }

    private static StoredTimer timer(TimerKey key, long generation) {
        TimerContent content = new TimerContent(
                "default", Instant.EPOCH, null, "timer", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
        return new StoredTimer(
                key, 0, content, TimerState.SCHEDULED, generation, 0, Instant.EPOCH, Instant.EPOCH, null, null, null);
    }
}
