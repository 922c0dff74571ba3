package dev.duetime.engine.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule that a turn delivers one generation of a timer, also if it is rescheduled between two reads of the turn. */
class FoundTimersTest {
    private final FoundTimers found = new FoundTimers();

    private static StoredTimer timer(String id, long generation) {
        TimerContent content = new TimerContent(
                "default", Instant.EPOCH, null, "timer", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
        return new StoredTimer(
                TimerKey.of(id),
                0,
                content,
                TimerState.SCHEDULED,
                generation,
                0,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                null,
                null);
    }

    @Test
    void aTimerThatWasRescheduledAfterTheReadWaitsForTheNextTurn() {
        StoredTimer again = timer("a", 2);
        StoredTimer other = timer("b", 3);
        found.add(again, 0);
        found.add(other, 0);
        DueTimers read = new DueTimers(List.of(timer("a", 1)), true);

        assertThat(found.besides(read, List.of())).containsExactly(other);
        assertThat(found.rescheduled(read)).containsExactly(again);
    }

    @Test
    void aTimerThatWasRescheduledBetweenTwoSearchesWaitsForTheNextTurn() {
        StoredTimer first = timer("a", 1);
        StoredTimer again = timer("a", 2);
        found.add(first, 0);
        found.add(again, 1);
        DueTimers read = new DueTimers(List.of(), true);

        assertThat(found.besides(read, List.of())).containsExactly(first);
        assertThat(found.rescheduled(read)).containsExactly(again);
    }

    @Test
    void aTimerThatWasReadAndFoundIsDeliveredOnce() {
        StoredTimer timer = timer("a", 1);
        found.add(timer, 0);
        DueTimers read = new DueTimers(List.of(timer), true);

        assertThat(found.besides(read, List.of())).isEmpty();
        assertThat(found.rescheduled(read)).isEmpty();
    }
}
