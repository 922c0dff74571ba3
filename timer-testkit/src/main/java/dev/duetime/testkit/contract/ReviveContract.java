package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.store.Revival;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The rule that a revival schedules dead timers again. Each is a new generation without attempts. It wakes at {@code
 * now}, or when it is due if that is later. A timer that is no longer dead with the same generation is skipped.
 */
abstract class ReviveContract extends ContractPart {
    private static final AtomicLong GENERATIONS = new AtomicLong(9_000_000);
    private static final Instant LATER = NOW.plusSeconds(60).plus(TICK);

    ReviveContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aDeadTimerIsScheduledAgainAndKeepsItsContentAndFailures() {
        StoredTimer dead = given(
                timer("a").shard(3).payload("p").expiresAt(NOW.plusSeconds(1)).priority(5), TimerState.DEAD);
        Revival revival = revival(dead);

        assertThat(revive(LATER, revival)).isEqualTo(1);

        assertThat(stored("a"))
                .isEqualTo(new StoredTimer(
                        dead.key(),
                        dead.shard(),
                        dead.content(),
                        TimerState.SCHEDULED,
                        revival.newGeneration(),
                        0,
                        LATER,
                        dead.registeredAt(),
                        null,
                        dead.previousAt(),
                        dead.failure()));
        assertThat(dueKeys(LATER.minus(TICK), 3)).isEmpty();
        assertThat(dueKeys(LATER, 3)).containsExactly(dead.key());
    }

    @Test
    void aRevivedTimerWakesAtItsDueTimeIfThatIsLater() {
        StoredTimer dead = given(timer("a").dueAt(LATER.plus(TICK)), TimerState.DEAD);

        revive(LATER, revival(dead));

        assertThat(stored("a").wakeAt()).isEqualTo(LATER.plus(TICK));
    }

    @Test
    void timersInOtherStatesAreSkipped() {
        StoredTimer scheduled = given(timer("a"));
        List<StoredTimer> ended = Arrays.asList(
                given(timer("b"), TimerState.REACHED),
                given(timer("c"), TimerState.EXPIRED),
                given(timer("d"), TimerState.CANCELLED));

        assertThat(revive(LATER, revival(scheduled))).isZero();
        ended.forEach(each -> assertThat(revive(LATER, revival(each))).isZero());

        assertThat(stored("a")).isEqualTo(scheduled);
        ended.forEach(each -> assertThat(stored(each.key())).isEqualTo(each));
    }

    @Test
    void aTimerThatDiedInAnotherGenerationIsSkipped() {
        StoredTimer first = given(timer("a"), TimerState.DEAD);
        StoredTimer second = given(timer("a").rearm(), TimerState.DEAD);

        assertThat(revive(LATER, revival(first))).isZero();

        assertThat(stored("a")).isEqualTo(second);
    }

    @Test
    void anAbsentTimerIsSkippedAndOthersAreRevived() {
        StoredTimer dead = given(timer("b"), TimerState.DEAD);
        Revival absent = new Revival(key("a"), 1, GENERATIONS.incrementAndGet());

        assertThat(revive(LATER, absent, revival(dead))).isEqualTo(1);

        assertThat(store().find(key("a"))).isEmpty();
        assertThat(stored("b").state()).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void nothingToReviveIsLegal() {
        assertThat(revive(LATER)).isZero();
    }

    @Test
    void anOutcomeOfTheGenerationThatDiedDoesNotTouchIt() {
        StoredTimer dead = given(timer("a"), TimerState.DEAD);
        revive(LATER, revival(dead));
        StoredTimer revived = stored("a");

        assertThat(store().settle(List.of(ended(dead, TimerState.REACHED)))).isZero();
        assertThat(stored("a")).isEqualTo(revived);
        assertThat(store().settle(List.of(ended(revived, TimerState.REACHED)))).isEqualTo(1);
    }

    @Test
    void aRepeatOfItsScheduleIsUnchangedAndAnotherOneMovesIt() {
        StoredTimer dead = given(timer("a"), TimerState.DEAD);
        revive(LATER, revival(dead));
        StoredTimer revived = stored("a");

        assertThat(schedule(timer("a")).outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        assertThat(stored("a")).isEqualTo(revived);
        assertThat(schedule(timer("a").dueAt(LATER)).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);
        assertThat(stored("a").failure()).isNull();
    }

    @Test
    void concurrentOperatorsReviveEachTimerOnce() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String prefix = "r" + round + "-";
            List<StoredTimer> dead = IntStream.range(0, 20)
                    .mapToObj(i -> given(timer(prefix + i), TimerState.DEAD))
                    .toList();

            List<Integer> counts = Race.of(i -> () -> store().admin()
                    .revive(dead.stream().map(ReviveContract::revival).toList(), LATER));

            assertThat(counts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(dead.size());
        }
    }

    private int revive(Instant now, Revival... revivals) {
        return store().admin().revive(List.of(revivals), now);
    }

    private static Revival revival(StoredTimer timer) {
        return new Revival(timer.key(), timer.generation(), GENERATIONS.incrementAndGet());
    }
}
