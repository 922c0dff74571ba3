package dev.duetime.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of what answers of the store show of the oldest due timer. */
class LoopVitalsTest {
    private static final Instant NOW = Instant.EPOCH.plusSeconds(100);
    private static final Instant OLD = Instant.EPOCH.plusSeconds(10);
    private static final Instant NEWER = Instant.EPOCH.plusSeconds(20);

    private final LoopVitals vitals = new LoopVitals();

    private @Nullable Instant oldestAfter(@Nullable Instant wakeAt, Instant shownFrom) {
        vitals.polled(NOW, wakeAt, shownFrom);
        return vitals.oldestDue(NOW);
    }

    @Test
    void anAnswerThatMayLeaveOutTimersHidesNone() {
        assertThat(oldestAfter(OLD, Instant.MIN)).isEqualTo(OLD);
        assertThat(oldestAfter(NEWER, Instant.MAX)).isEqualTo(OLD);
        assertThat(oldestAfter(null, Instant.MAX)).isEqualTo(OLD);
    }

    @Test
    void anAnswerThatBeginsBehindTheOldestTimerDoesNotHideIt() {
        assertThat(oldestAfter(OLD, Instant.MIN)).isEqualTo(OLD);
        assertThat(oldestAfter(null, OLD.plusNanos(1_000))).isEqualTo(OLD);
        assertThat(oldestAfter(NEWER, OLD)).isEqualTo(NEWER);
        assertThat(oldestAfter(null, OLD)).isNull();
    }

    @Test
    void anAnswerThatMayLeaveOutTimersShowsAnOlderOne() {
        assertThat(oldestAfter(null, Instant.MIN)).isNull();
        assertThat(oldestAfter(NEWER, Instant.MAX)).isEqualTo(NEWER);
        assertThat(oldestAfter(OLD, Instant.MAX)).isEqualTo(OLD);
    }

    @Test
    void anAnswerThatLeavesOutNothingEndsWhatWasKnown() {
        assertThat(oldestAfter(OLD, Instant.MIN)).isEqualTo(OLD);
        assertThat(oldestAfter(NEWER, Instant.MIN)).isEqualTo(NEWER);
        assertThat(oldestAfter(null, Instant.MIN)).isNull();
    }

    @Test
    void aTimerThatWakesLaterIsNotDueYet() {
        assertThat(oldestAfter(NOW.plusSeconds(1), Instant.MIN)).isNull();
        assertThat(vitals.oldestDue(NOW.plusSeconds(1))).isEqualTo(NOW.plusSeconds(1));
    }

    @Test
    void aNodeWithoutShardsShowsNothing() {
        assertThat(oldestAfter(OLD, Instant.MIN)).isEqualTo(OLD);
        vitals.ownsNothing();
        assertThat(vitals.isBehind(NOW)).isFalse();
        assertThat(vitals.oldestDue(NOW)).isNull();
    }

    /** A timer that waits for a permit is no reason to place new timers at other nodes. */
    @Test
    void onlyTheLastAnswerSaysWhetherTheLoopIsBehind() {
        assertThat(oldestAfter(OLD, Instant.MIN)).isEqualTo(OLD);
        assertThat(vitals.isBehind(NEWER)).isTrue();
        assertThat(oldestAfter(null, Instant.MAX)).isEqualTo(OLD);
        assertThat(vitals.isBehind(NEWER)).isFalse();
        vitals.oldestIs(OLD);
        assertThat(vitals.isBehind(NEWER)).isFalse();
    }
}
