package dev.duetime.engine.window;

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
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of where the next read begins. */
class ReadWindowTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");
    private static final Set<Integer> SHARDS = Set.of(0);

    private final ReadWindow window = new ReadWindow(3, 1_000_000);

    private Instant begin() {
        return window.from(SHARDS, NOW, 0, false);
    }

    /** Ends a turn that settles a full read, up to a timer that is due now. */
    private void settleAll() {
        TimerContent content =
                new TimerContent("q", NOW, null, "t", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
        StoredTimer last = new StoredTimer(
                TimerKey.of("last"), 0, content, TimerState.SCHEDULED, 1, 0, NOW, NOW, null, null, null);
        window.done(new DueTimers(List.of(last), List.of(), true), Instant.MIN, 0, 0);
    }

    @Test
    void aReadBeginsWhereTheOneBeforeEnded() {
        begin();
        settleAll();
        assertThat(begin()).isEqualTo(NOW);
    }

    /** Timers of a call that failed are due again, and later ones of their keys must not be read without them. */
    @Test
    void whatIsOwedOutlastsTheEndOfTheTurn() {
        begin();
        window.oweAll();
        settleAll();
        assertThat(begin()).isEqualTo(Instant.MIN);

        settleAll();
        assertThat(begin()).isEqualTo(NOW);
    }

    @Test
    void whatIsLeftInATurnIsNotReadAgainIfItIsSettled() {
        begin();
        window.left();
        settleAll();
        assertThat(begin()).isEqualTo(NOW);
    }
}
