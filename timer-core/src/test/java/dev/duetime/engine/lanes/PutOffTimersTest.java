package dev.duetime.engine.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery.Exclusion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of how long later timers of a parallel key wait for one that was put off. */
class PutOffTimersTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");
    private static final Instant UNTIL = NOW.plusSeconds(5);
    private static final Duration TICK = Duration.ofMillis(1);

    private final PutOffTimers putOff = new PutOffTimers();
    private final StoredTimer first = timer("key", "first", NOW);
    private final StoredTimer second = timer("key", "second", NOW.plusSeconds(1));

    @BeforeEach
    void putOffTheFirst() {
        putOff.add(first, UNTIL);
    }

    private static StoredTimer timer(String parallelKey, String id, Instant dueAt) {
        TimerContent content = new TimerContent(
                "default", dueAt, null, "t", Payload.NONE, Map.of(), 0, null, parallelKey, null, null, null, null);
        return new StoredTimer(
                TimerKey.of(id), 0, content, TimerState.SCHEDULED, 1, 0, dueAt, Instant.EPOCH, null, null, null);
    }

    private @Nullable Instant waitsFor(StoredTimer timer, Set<TimerKey> inTurn, Instant now) {
        return putOff.turn(inTurn, now).waitsFor(timer);
    }

    @Test
    void laterTimersOfTheKeyWait() {
        assertThat(waitsFor(second, Set.of(second.key()), NOW)).isEqualTo(UNTIL.plus(TICK));
        assertThat(waitsFor(timer("other", "second", NOW.plusSeconds(1)), Set.of(), NOW))
                .isNull();
        assertThat(waitsFor(timer("key", "earlier", NOW.minusSeconds(1)), Set.of(), NOW))
                .isNull();
    }

    @Test
    void noTimerWaitsForOneOfItsTurn() {
        assertThat(waitsFor(first, Set.of(first.key()), UNTIL)).isNull();
        assertThat(waitsFor(second, Set.of(first.key(), second.key()), UNTIL)).isNull();
    }

    @Test
    void theyWaitEverLongerWhileItIsMissing() {
        assertThat(waitsFor(second, Set.of(), UNTIL)).isEqualTo(UNTIL.plus(TICK));
        assertThat(waitsFor(second, Set.of(), UNTIL.plusSeconds(1))).isEqualTo(UNTIL.plusSeconds(2));
        assertThat(waitsFor(second, Set.of(), UNTIL.plusSeconds(4000))).isEqualTo(UNTIL.plusSeconds(4005));
    }

    @Test
    void nobodyWaitsForOneThatHasAnOutcome() {
        putOff.forget(first.key());

        assertThat(putOff.isEmpty()).isTrue();
        assertThat(waitsFor(second, Set.of(), NOW)).isNull();
    }

    @Test
    void nobodyWaitsForOneThatAReadOfAllDidNotShow() {
        putOff.forgetUnlessShown(Set.of(second.key()), Instant.MIN, UNTIL, Exclusion.NONE);
        assertThat(putOff.isEmpty()).isFalse();
        putOff.forgetUnlessShown(Set.of(second.key()), UNTIL.plusMillis(1), UNTIL.plusSeconds(60), Exclusion.NONE);
        assertThat(putOff.isEmpty()).isFalse();
        putOff.forgetUnlessShown(Set.of(first.key(), second.key()), Instant.MIN, UNTIL.plusSeconds(1), Exclusion.NONE);
        assertThat(putOff.isEmpty()).isFalse();

        putOff.forgetUnlessShown(Set.of(second.key()), Instant.MIN, UNTIL.plusSeconds(1), Exclusion.NONE);

        assertThat(putOff.isEmpty()).isTrue();
        assertThat(waitsFor(second, Set.of(), UNTIL)).isNull();
    }

    @Test
    void aReadDoesNotShowWhatItLeavesOut() {
        Set<String> none = Set.of();
        for (Exclusion but : List.of(
                new Exclusion(Set.of("key"), none, none, 0),
                new Exclusion(none, Set.of("t"), none, 0),
                new Exclusion(none, none, Set.of(first.key().tenantId()), 0),
                new Exclusion(none, none, none, 0, Set.of("other")))) {
            putOff.forgetUnlessShown(Set.of(), Instant.MIN, UNTIL.plusSeconds(60), but);
            assertThat(putOff.isEmpty()).as(but.toString()).isFalse();
        }
        putOff.forgetUnlessShown(Set.of(), UNTIL, UNTIL.plusSeconds(60), new Exclusion(Set.of("other"), none, none, 0));
        assertThat(putOff.isEmpty()).isTrue();
    }

    /** Others wait for those that are remembered. */
    @Test
    void onlyTheFirstTenThousandAreRemembered() {
        for (int i = 1; i < 11_000; i++) {
            putOff.add(timer("of-" + i, "t-" + i, NOW), UNTIL);
        }

        Instant later = NOW.plusSeconds(1);
        assertThat(waitsFor(second, Set.of(), NOW)).isEqualTo(UNTIL.plus(TICK));
        assertThat(waitsFor(timer("of-9999", "next", later), Set.of(), NOW)).isEqualTo(UNTIL.plus(TICK));
        assertThat(waitsFor(timer("of-10000", "next", later), Set.of(), NOW)).isNull();
        // Some of them may be gone.
        assertThat(putOff.takeSeemsGone()).isTrue();
    }

    @Test
    void aTimerIsNotReadBeforeTheOneBeforeIt() {
        putOff.add(second, UNTIL.plusSeconds(3));

        assertThat(waitsFor(timer("key", "third", NOW.plusSeconds(2)), Set.of(), NOW))
                .isEqualTo(UNTIL.plusSeconds(3).plus(TICK));
    }

    @Test
    void aReadOfAllIsWantedOnceOneThatMustBeDueIsMissing() {
        waitsFor(second, Set.of(), UNTIL.plusMillis(999));
        assertThat(putOff.takeSeemsGone()).isFalse();
        waitsFor(second, Set.of(), UNTIL.plusSeconds(1));
        assertThat(putOff.takeSeemsGone()).isTrue();
        assertThat(putOff.takeSeemsGone()).isFalse();
    }

    @Test
    void theyLookForItEveryFiveSecondsAtLeast() {
        Instant late = UNTIL.plusSeconds(40);
        assertThat(waitsFor(second, Set.of(), late)).isEqualTo(late.plusSeconds(5));
    }
}
