package dev.duetime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.Settlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Specifies what a takeover that another thread notes means for the reads around it. */
class LostAttemptsTest {
    private static final int OWN = 1;
    private static final int TAKEN = 2;
    private static final StoredTimer TIMER = new StoredTimer(
            TimerKey.of("a"),
            TAKEN,
            new TimerContent(
                    "default",
                    Instant.EPOCH,
                    null,
                    "timer",
                    Payload.NONE,
                    Map.of(),
                    0,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null),
            TimerState.SCHEDULED,
            1,
            0,
            Instant.EPOCH,
            Instant.EPOCH,
            null,
            null,
            null);

    private final List<Settlement> written = new ArrayList<>();
    private final LostAttempts attempts = new LostAttempts(written::addAll);

    @Test
    void aShardThatWasTakenOverIsCountedThoughOthersWereReadMeanwhile() {
        attempts.takenOver(TAKEN, Instant.EPOCH);
        attempts.beginRead(Set.of(OWN));
        assertThat(attempts.isCounting()).isFalse();
        attempts.count(List.of(), false);

        attempts.beginRead(Set.of(OWN, TAKEN));
        assertThat(attempts.isCounting()).isTrue();
        assertThat(attempts.count(List.of(TIMER), false)).containsExactly(TIMER.withAttempt(1));
        assertThat(written).hasSize(1);

        attempts.beginRead(Set.of(OWN, TAKEN));
        assertThat(attempts.isCounting()).isFalse();
    }

    @Test
    void aTakeoverDuringAReadIsCountedByTheNextOne() {
        attempts.beginRead(Set.of(OWN, TAKEN));
        attempts.takenOver(TAKEN, Instant.EPOCH);
        assertThat(attempts.count(List.of(TIMER), false)).containsExactly(TIMER);

        attempts.beginRead(Set.of(OWN, TAKEN));
        assertThat(attempts.count(List.of(TIMER), false)).containsExactly(TIMER.withAttempt(1));
    }
}
