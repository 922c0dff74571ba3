package dev.duetime.engine.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of what is remembered of the occurrences to which a node has skipped. */
class SkipTargetsTest {
    private static final Instant DUE = Instant.EPOCH;
    private static final Instant NOW = DUE.plusSeconds(1);
    private static final int MOST = 10_000;

    private final SkipTargets targets = new SkipTargets();

    private void skipTo(String id, long generation, Instant at) {
        targets.add(new Settlement.Moved(TimerKey.of(id), 1, generation, DUE, null, null, null), at);
    }

    private boolean isUntried(String id, long generation) {
        return targets.isUntried(timer(id, generation, DUE), NOW);
    }

    private static StoredTimer timer(String id, long generation, Instant wakeAt) {
        TimerContent content = new TimerContent(
                "default", DUE, null, "timer", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
        return new StoredTimer(
                TimerKey.of(id), 0, content, TimerState.SCHEDULED, generation, 0, wakeAt, DUE, null, null, null);
    }

    @Test
    void onlyTheGenerationThatWasMovedIsATarget() {
        skipTo("a", 2, NOW);
        assertThat(isUntried("a", 2)).isTrue();
        assertThat(isUntried("b", 2)).isFalse();
        assertThat(isUntried("a", 3)).isFalse();
        assertThat(isUntried("a", 2)).as("once another one was seen").isFalse();
    }

    @Test
    void anOccurrenceThatWasTriedOrPutOffIsNoTarget() {
        skipTo("a", 2, NOW);
        assertThat(targets.isUntried(timer("a", 2, NOW), NOW)).isFalse();
        StoredTimer tried = StoredTimers.withAttempt(timer("a", 2, DUE), 1);
        assertThat(targets.isUntried(tried, NOW)).isFalse();
    }

    @Test
    void aTargetIsForgottenAfterTenMinutes() {
        Duration kept = Duration.ofMinutes(10);
        skipTo("a", 2, NOW.minus(kept));
        skipTo("b", 2, NOW.minus(kept).minusNanos(1));
        assertThat(isUntried("a", 2)).isTrue();
        assertThat(isUntried("b", 2)).isFalse();
    }

    @Test
    void eachNewFailureOfThePublisherForgetsAll() {
        targets.forgetAfter(1);
        skipTo("a", 2, NOW);
        targets.forgetAfter(1);
        assertThat(isUntried("a", 2)).isTrue();
        targets.forgetAfter(2);
        assertThat(isUntried("a", 2)).isFalse();
    }

    @Test
    void whileItIsFullOnlyAnOldTargetMakesRoom() {
        for (int i = 0; i < MOST; i++) {
            skipTo("t" + i, 2, NOW);
        }
        skipTo("a", 2, NOW);
        assertThat(isUntried("a", 2)).isFalse();
        assertThat(isUntried("t0", 2)).isTrue();

        targets.add(
                new Settlement.Moved(TimerKey.of("a"), 1, 2, DUE, null, null, null),
                NOW.plus(Duration.ofMinutes(10)).plusNanos(1));
        assertThat(isUntried("a", 2)).isTrue();
        assertThat(isUntried("t0", 2)).isFalse();
    }
}
