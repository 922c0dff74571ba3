package dev.duetime.engine.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReadPartsTest {
    private static final Set<Integer> SHARDS = Set.of(1);
    private static final Duration RANGE = Duration.ofHours(1);
    private static final Instant OLDEST = Instant.EPOCH;
    private static final Instant NOW = OLDEST.plus(RANGE);
    private static final long QUICK = Duration.ofMillis(1).toNanos();
    private static final long STEADY = Duration.ofMillis(50).toNanos();
    private static final long SLOW = Duration.ofMillis(200).toNanos();

    private final ReadParts parts = new ReadParts(shards -> OLDEST);

    private Instant fail(Instant from, Instant now) {
        Instant to = parts.begin(SHARDS, from, now);
        parts.failed(SLOW);
        return to;
    }

    private Instant read(Instant from, Instant now, long tookNanos) {
        Instant to = parts.begin(SHARDS, from, now);
        parts.succeeded(false, tookNanos);
        return to;
    }

    @Test
    void aRangeThatFailedIsReadInQuarters() {
        assertThat(fail(Instant.MIN, NOW)).isEqualTo(NOW);
        assertThat(fail(Instant.MIN, NOW)).isEqualTo(OLDEST.plus(RANGE.dividedBy(4)));
        Instant to = read(Instant.MIN, NOW, STEADY);
        assertThat(to).isEqualTo(OLDEST.plus(RANGE.dividedBy(16)));
        assertThat(parts.isPart()).isTrue();
        assertThat(read(to, NOW, STEADY)).isEqualTo(to.plus(RANGE.dividedBy(16)));
    }

    /** Reads of the present alternate with those of older parts. */
    @Test
    void aPartThatFailedIsShorterThoughAnotherRangeIsReadFirst() {
        fail(Instant.MIN, NOW);
        Instant to = fail(Instant.MIN, NOW);
        read(NOW, NOW.plusSeconds(1), STEADY);

        assertThat(read(Instant.MIN, NOW, STEADY)).isBefore(to);
    }

    @Test
    void oneQuickFailureIsNoLimit() {
        parts.begin(SHARDS, Instant.MIN, NOW);
        assertThat(parts.failed(QUICK)).isFalse();
        assertThat(parts.begin(SHARDS, Instant.MIN, NOW)).isEqualTo(NOW);

        parts.failed(QUICK);
        assertThat(parts.begin(SHARDS, Instant.MIN, NOW)).isBefore(NOW);
    }

    @Test
    void fullPartsGrow() {
        fail(Instant.MIN, NOW);
        Instant to = read(Instant.MIN, NOW, STEADY);
        parts.begin(SHARDS, Instant.MIN, NOW);
        parts.succeeded(true, QUICK);

        assertThat(read(Instant.MIN, NOW, STEADY)).isAfter(to);
    }

    @Test
    void quickPartsGrowUntilOneReadReturnsEverything() {
        fail(Instant.MIN, NOW);
        for (int i = 0; i < 4; i++) {
            read(Instant.MIN, NOW, QUICK);
        }
        assertThat(parts.areUsed()).isFalse();
    }

    @Test
    void aSlowReadOfEverythingDoesNotEndTheParts() {
        fail(Instant.MIN, NOW);
        assertThat(read(Instant.MIN, OLDEST.plusMillis(1), SLOW)).isEqualTo(OLDEST.plusMillis(1));
        assertThat(parts.areUsed()).isTrue();
    }

    /** Else the reads would never come to the present. */
    @Test
    void noPartIsAsShortAsItsReadTakes() {
        fail(NOW.minusMillis(4), NOW);
        Instant from = NOW.minusSeconds(1);
        Duration last = Duration.ZERO;
        for (int i = 0; i < 20; i++) {
            last = Duration.between(from, read(from, NOW, SLOW));
        }
        assertThat(last).isGreaterThan(Duration.ofNanos(SLOW));
    }

    @Test
    void anotherRangeThatDidNotFailIsNotCutByAnOldFailure() {
        fail(Instant.MIN, NOW);
        Instant later = NOW.plus(RANGE);

        assertThat(read(NOW, later, QUICK)).isEqualTo(later);
        assertThat(parts.areUsed()).isFalse();
    }
}
