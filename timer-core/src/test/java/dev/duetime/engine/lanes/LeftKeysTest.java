package dev.duetime.engine.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Clock;
import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that a read that learns keys takes a timer only if all earlier ones of its parallel key are known. */
class LeftKeysTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant NOW = START.plusSeconds(3_600);
    private static final Exclusion LIMITED = new Exclusion(Set.of(), Set.of("limited"), Set.of(), Integer.MAX_VALUE);
    private static final long TOOK_NANOS = 1_000_000;

    private final Time clock = new Time();
    private final LeftKeys keys = new LeftKeys(clock);

    /** A clock that tests set. */
    private static final class Time implements Clock {
        private long nanos;

        @Override
        public Instant now() {
            return NOW.plusNanos(nanos);
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public Loop start(String name, Pass pass) {
            throw new UnsupportedOperationException();
        }
    }

    private static StoredTimer timer(String type, int second, String key) {
        Instant dueAt = START.plusSeconds(second);
        TimerContent content = new TimerContent(
                "work", dueAt, null, type, Payload.NONE, Map.of(), 0, null, key, null, null, null, null);
        return new StoredTimer(
                TimerKey.of("one", type + second),
                0,
                content,
                TimerState.SCHEDULED,
                second,
                0,
                dueAt,
                dueAt,
                null,
                null,
                null);
    }

    /** Makes a usual read, of which these timers are not left. */
    private void usualRead(Exclusion but, StoredTimer... taken) {
        keys.beginRead(but, Set.of(0), false);
        hasRead(List.of(taken), List.of());
    }

    private void hasRead(List<StoredTimer> timers, List<StoredTimer> left) {
        keys.read(new DueTimers(timers, true), NOW, left, TOOK_NANOS);
    }

    /** Begins a read for keys, because a timer waits for one. */
    private void beginLearning(int second) {
        keys.mustWait(timer("free", 1_000, "waits"));
        clock.nanos += 100 * TOOK_NANOS;
        keys.beginRead(LIMITED, Set.of(0), true);
        assertThat(keys.learns()).isTrue();
        assertThat(keys.learnsFrom()).isEqualTo(second == 0 ? Instant.MIN : START.plusSeconds(second));
    }

    /** The usual reads come to the tenth second, and those for keys to the fiftieth. */
    private void learn(StoredTimer... left) {
        usualRead(LIMITED, timer("free", 1, "a"), timer("free", 10, "b"));
        beginLearning(0);
        hasRead(List.of(timer("free", 1, "a"), timer("free", 50, "d")), List.of(left));
        usualRead(LIMITED, timer("free", 1, "a"), timer("free", 10, "b"));
    }

    @Test
    void aTimerWaitsForOneThatALearningReadHasLeft() {
        learn(timer("limited", 5, "c"), timer("free", 40, "key"));
        beginLearning(50);

        assertThat(keys.mustWait(timer("free", 55, "key"))).isTrue();
        assertThat(keys.mustWait(timer("free", 56, "c"))).isTrue();
        assertThat(keys.mustWait(timer("free", 57, "other"))).isFalse();
    }

    @Test
    void aTimerWaitsNoLongerOnceAUsualReadHasTakenTheOneBefore() {
        learn(timer("free", 40, "key"));
        usualRead(LIMITED, timer("free", 40, "key"), timer("free", 45, "b"));
        beginLearning(50);

        assertThat(keys.mustWait(timer("free", 55, "key"))).isFalse();
    }

    @Test
    void aReadBehindOneThatLearnsKeysKeepsTheOrderToo() {
        learn(timer("free", 40, "key"));
        beginLearning(50);
        hasRead(List.of(timer("free", 60, "b")), List.of());
        keys.beginBehind();
        keys.readsFrom(START.plusSeconds(55));

        assertThat(keys.mustWait(timer("free", 57, "key"))).isTrue();
        assertThat(keys.mustWait(timer("free", 58, "other"))).isFalse();
    }

    @Test
    void aReadThatBeginsInTheMiddleTakesNoKeyIfThereWereTooManyToKnow() {
        StoredTimer[] left = IntStream.range(0, 10_001)
                .mapToObj(i -> timer("free", 40, "key" + i))
                .toArray(StoredTimer[]::new);
        learn(left);
        beginLearning(50);

        assertThat(keys.mustWait(timer("free", 55, "other"))).isTrue();
    }
}
