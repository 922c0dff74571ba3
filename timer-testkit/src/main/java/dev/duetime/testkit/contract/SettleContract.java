package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Deleted;
import dev.duetime.store.Settlement.Ended;
import dev.duetime.store.Settlement.Retried;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The rule that settling writes outcomes, and skips one whose timer is no longer scheduled with the same generation.
 */
abstract class SettleContract extends ContractPart {
    private static final int MANY = 10_000;

    SettleContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void noOutcomesAreLegalAndCountZero() {
        assertThat(store().settle(List.of())).isZero();
    }

    @Test
    void anEndedTimerTakesStateTimeAttemptAndFailure() {
        for (TimerState state : TERMINAL) {
            StoredTimer before = given(timer(state.name()).shard(1).payload("x"));
            Failure failure = failure("of " + state);
            Instant at = NOW.plusSeconds(2).plus(TICK);

            int count = store().settle(List.of(new Ended(before.key(), before.generation(), state, at, 7, failure)));

            assertThat(count).isEqualTo(1);
            assertThat(stored(state.name())).isEqualTo(changed(before, state, 7, null, at, failure));
        }
    }

    @Test
    void anEndedTimerMayHaveNoFailure() {
        StoredTimer before = given(timer("a"));
        store().settle(List.of(retried(before, NOW.plusSeconds(1))));

        store().settle(List.of(new Ended(before.key(), before.generation(), TimerState.REACHED, NOW, 2, null)));

        assertThat(stored("a")).isEqualTo(changed(before, TimerState.REACHED, 2, null, NOW, null));
    }

    @Test
    void aDeletedTimerIsGone() {
        StoredTimer timer = given(timer("a"));
        StoredTimer neighbour = given(timer("b"));

        assertThat(store().settle(List.of(deleted(timer)))).isEqualTo(1);

        assertThat(store().find(key("a"))).isEmpty();
        assertThat(store().query(TimerQuery.all().allowScan().tenantId(tenant))).containsExactly(neighbour);
    }

    @Test
    void aRetriedTimerStaysScheduledAndKeepsItsDueTime() {
        StoredTimer before = given(timer("a").shard(1).payload("x"));
        Failure failure = failure("refused");
        Instant wakeAt = NOW.plusSeconds(30).plus(TICK);

        int count = store().settle(List.of(new Retried(before.key(), before.generation(), wakeAt, 3, failure)));

        assertThat(count).isEqualTo(1);
        assertThat(stored("a")).isEqualTo(changed(before, TimerState.SCHEDULED, 3, wakeAt, null, failure));
        assertThat(stored("a").dueAt()).isEqualTo(NOW);
    }

    @Test
    void aRetryWithoutAFailureKeepsTheLastOne() {
        StoredTimer timer = given(timer("a"));

        Retried first = (Retried) retried(timer, NOW.plusSeconds(30));
        assertThat(store().settle(List.of(first))).isEqualTo(1);
        assertThat(store().settle(List.of(new Retried(timer.key(), timer.generation(), NOW, 2, null))))
                .isEqualTo(1);
        assertThat(stored("a")).isEqualTo(changed(timer, TimerState.SCHEDULED, 2, NOW, null, first.failure()));
        assertThat(store().settle(List.of(ended(timer, TimerState.REACHED)))).isEqualTo(1);
        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void aRescheduleDuringDeliveryWins() {
        eachKindOfOutcome().forEach(outcome -> {
            String id = unique("a");
            StoredTimer delivered = given(timer(id));
            StoredTimer newer = given(timer(id).payload("newer"));

            assertThat(store().settle(List.of(outcome.apply(delivered)))).isZero();

            assertThat(stored(id)).isEqualTo(newer);
        });
    }

    @Test
    void anOutcomeOfAnUnknownGenerationIsSkipped() {
        StoredTimer timer = given(timer("a"));

        for (long generation : new long[] {0, timer.generation() - 1, timer.generation() + 1, (1L << 62) - 1}) {
            assertThat(store().settle(List.of(new Ended(timer.key(), generation, TimerState.REACHED, NOW, 1, null))))
                    .isZero();
            assertThat(store().settle(List.of(new Retried(timer.key(), generation, NOW, 1, null))))
                    .isZero();
            assertThat(store().settle(List.of(new Deleted(timer.key(), generation))))
                    .isZero();
        }

        assertThat(stored("a")).isEqualTo(timer);
    }

    @Test
    void anOutcomeOfAnEndedTimerIsSkipped() {
        for (TimerState state : TERMINAL) {
            StoredTimer before = given(timer(state.name()), state);
            eachKindOfOutcome().forEach(outcome -> {
                assertThat(store().settle(List.of(outcome.apply(before)))).isZero();
                assertThat(stored(before.key())).isEqualTo(before);
            });
        }
    }

    @Test
    void anOutcomeOfACancelledTimerIsSkipped() {
        StoredTimer delivered = given(timer("a"));
        store().cancel(key("a"), NOW);
        StoredTimer cancelled = stored("a");

        eachKindOfOutcome()
                .forEach(outcome -> assertThat(store().settle(List.of(outcome.apply(delivered))))
                        .isZero());

        assertThat(stored("a")).isEqualTo(cancelled);
    }

    @Test
    void anOutcomeOfARearmedTimerIsSkipped() {
        StoredTimer old = given(timer("a"), TimerState.REACHED);
        StoredTimer rearmed = given(timer("a").rearm());

        eachKindOfOutcome()
                .forEach(outcome ->
                        assertThat(store().settle(List.of(outcome.apply(old)))).isZero());

        assertThat(stored("a")).isEqualTo(rearmed);
    }

    @Test
    void anOutcomeOfAnAbsentTimerIsSkipped() {
        StoredTimer deleted = given(timer("a"));
        store().settle(List.of(deleted(deleted)));

        eachKindOfOutcome()
                .forEach(outcome -> assertThat(store().settle(List.of(outcome.apply(deleted))))
                        .isZero());

        assertThat(store().find(key("a"))).isEmpty();
    }

    @Test
    void anOutcomeTouchesNoOtherTimerOfTheSameGeneration() {
        NewTimer one = timer("a").build(77);
        NewTimer neighbour = timer("b").build(77);
        NewTimer ofOtherTenant = timer(TimerKey.of(otherTenant, "a")).build(77);
        store().schedule(List.of(one, neighbour, ofOtherTenant));

        assertThat(store().settle(List.of(ended(accepted(one), TimerState.REACHED))))
                .isEqualTo(1);

        assertThat(stored("b")).isEqualTo(accepted(neighbour));
        assertThat(stored(ofOtherTenant.key())).isEqualTo(accepted(ofOtherTenant));
    }

    @Test
    void outcomesOfAllKindsAreWrittenTogetherAndStaleOnesSkipped() {
        StoredTimer ended = given(timer("ended"));
        StoredTimer stale = given(timer("stale"));
        StoredTimer newer = given(timer("stale").payload("newer"));
        StoredTimer retried = given(timer("retried"));
        StoredTimer gone = given(timer("gone"));
        StoredTimer dead = given(timer("dead"));
        StoredTimer cancelled = given(timer("cancelled"), TimerState.CANCELLED);
        StoredTimer bystander = given(timer("bystander"));

        int count = store().settle(List.of(
                deleted(gone),
                ended(ended, TimerState.REACHED),
                ended(stale, TimerState.REACHED),
                retried(retried, NOW.plusSeconds(30)),
                deleted(cancelled),
                ended(dead, TimerState.DEAD)));

        assertThat(count).isEqualTo(4);
        assertThat(store().find(gone.key())).isEmpty();
        assertThat(stored("ended").state()).isEqualTo(TimerState.REACHED);
        assertThat(stored("stale")).isEqualTo(newer);
        assertThat(stored("retried").wakeAt()).isEqualTo(NOW.plusSeconds(30));
        assertThat(stored("cancelled")).isEqualTo(cancelled);
        assertThat(stored("dead").failure()).isEqualTo(failure("gave up"));
        assertThat(stored("bystander")).isEqualTo(bystander);
    }

    @Test
    void settlingTwiceCountsOnce() {
        StoredTimer first = given(timer("a"));
        StoredTimer second = given(timer("b"));
        List<Settlement> outcomes = List.of(ended(first, TimerState.REACHED), deleted(second));

        assertThat(store().settle(outcomes)).isEqualTo(2);
        StoredTimer reached = stored("a");
        assertThat(store().settle(outcomes)).isZero();

        assertThat(stored("a")).isEqualTo(reached);
    }

    @Test
    void tenThousandOutcomesAreWrittenAtOnce() {
        List<NewTimer> timers = IntStream.range(0, MANY)
                .mapToObj(i -> timer(i % 2 == 0 ? key("a" + i) : TimerKey.of(otherTenant, "a" + i))
                        .shard(i % 5)
                        .build())
                .toList();
        store().schedule(timers);
        StoredTimer bystander = given(timer("bystander"));
        List<Settlement> outcomes = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            StoredTimer timer = accepted(timers.get(i));
            outcomes.add(
                    switch (i % 4) {
                        case 0 -> ended(timer, TimerState.REACHED);
                        case 1 -> deleted(timer);
                        case 2 -> retried(timer, NOW.plusSeconds(30));
                        default -> new Deleted(timer.key(), timer.generation() + MANY);
                    });
        }

        assertThat(store().settle(outcomes)).isEqualTo(MANY / 4 * 3);

        TimerQuery all = TimerQuery.all().allowScan().queue(queue).limit(MANY);
        assertThat(store().query(all.state(TimerState.REACHED))).hasSize(MANY / 4);
        assertThat(store().query(all.state(TimerState.SCHEDULED)))
                .hasSize(MANY / 2 + 1)
                .contains(bystander);
        assertThat(store().query(all)).hasSize(MANY / 4 * 3 + 1);
    }

    private static List<Function<StoredTimer, Settlement>> eachKindOfOutcome() {
        return List.of(
                timer -> ended(timer, TimerState.REACHED),
                timer -> ended(timer, TimerState.DEAD),
                timer -> retried(timer, NOW.plusSeconds(30)),
                timer -> moved(timer, NOW.plusSeconds(60)),
                ContractPart::deleted);
    }

    private static StoredTimer changed(
            StoredTimer before,
            TimerState state,
            int attempt,
            @Nullable Instant wakeAt,
            @Nullable Instant settledAt,
            @Nullable Failure failure) {
        return new StoredTimer(
                before.key(),
                before.shard(),
                before.content(),
                state,
                before.generation(),
                attempt,
                wakeAt,
                before.registeredAt(),
                settledAt,
                before.previousAt(),
                failure);
    }
}
