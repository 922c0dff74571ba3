package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The rule that a cancel ends a scheduled timer and changes no other timer. */
abstract class CancelContract extends ContractPart {

    CancelContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aScheduledTimerIsCancelled() {
        StoredTimer before = given(timer("a").payload("x").shard(2).expiresAt(NOW.plusSeconds(9)));

        assertThat(store().cancel(key("a"), NOW)).isEqualTo(CancelResult.CANCELLED);

        assertThat(stored("a")).isEqualTo(cancelled(before, NOW));
    }

    @Test
    void aTimerThatWaitsForARetryIsCancelledAndKeepsAttemptAndFailure() {
        StoredTimer scheduled = given(timer("a"));
        store().settle(List.of(retried(scheduled, NOW.plusSeconds(30))));
        StoredTimer before = stored("a");

        assertThat(store().cancel(key("a"), NOW)).isEqualTo(CancelResult.CANCELLED);

        assertThat(before.failure()).isNotNull();
        assertThat(stored("a")).isEqualTo(cancelled(before, NOW));
    }

    @Test
    void aCancelledTimerIsNoLongerDue() {
        given(timer("a"));
        given(timer("b").dueAt(NOW.plus(TICK)));

        store().cancel(key("a"), NOW);

        assertThat(dueKeys(NOW.plus(TICK), 0)).containsExactly(key("b"));
        assertThat(nextDue(List.of(0))).contains(NOW.plus(TICK));
    }

    @Test
    void aTimerThatHasEndedIsTooLateToCancelAndLeftAsItIs() {
        for (TimerState state : TERMINAL) {
            StoredTimer before = given(timer(state.name()), state);

            CancelResult result = store().cancel(before.key(), NOW.plusSeconds(99));

            assertThat(result).as(state.name()).isEqualTo(CancelResult.TOO_LATE);
            assertThat(stored(before.key())).isEqualTo(before);
        }
    }

    @Test
    void theGenerationInDeliveryIsTooLateToCancelAndLeftAsItIs() {
        StoredTimer before = given(timer("a"));

        CancelResult result = store().cancel(key("a"), NOW, OptionalLong.of(before.generation()));

        assertThat(result).isEqualTo(CancelResult.TOO_LATE);
        assertThat(stored("a")).isEqualTo(before);
    }

    @Test
    void aNewerGenerationThanTheOneInDeliveryIsCancelled() {
        StoredTimer inDelivery = given(timer("a"));
        StoredTimer standing = given(timer("a").dueAt(NOW.plusSeconds(60)));

        CancelResult result = store().cancel(key("a"), NOW, OptionalLong.of(inDelivery.generation()));

        assertThat(result).isEqualTo(CancelResult.CANCELLED);
        assertThat(stored("a")).isEqualTo(cancelled(standing, NOW));
    }

    @Test
    void aSecondCancelIsTooLate() {
        given(timer("a"));
        store().cancel(key("a"), NOW);

        assertThat(store().cancel(key("a"), NOW.plus(TICK))).isEqualTo(CancelResult.TOO_LATE);
        assertThat(stored("a").settledAt()).isEqualTo(NOW);
    }

    @Test
    void aKeyWithoutTimerIsNotFound() {
        given(timer("b"));
        given(timer(TimerKey.of(otherTenant, "a")));

        assertThat(store().cancel(key("a"), NOW)).isEqualTo(CancelResult.NOT_FOUND);
        assertThat(store().find(key("a"))).isEmpty();
    }

    @Test
    void aCancelChangesNoOtherTimer() {
        given(timer("a"));
        StoredTimer neighbour = given(timer("b"));
        StoredTimer ofOtherTenant = given(timer(TimerKey.of(otherTenant, "a")));

        store().cancel(key("a"), NOW);

        assertThat(stored("b")).isEqualTo(neighbour);
        assertThat(stored(ofOtherTenant.key())).isEqualTo(ofOtherTenant);
    }

    @Test
    void oneOfSeveralConcurrentCancelsCancels() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String id = "a" + round;
            given(timer(id));

            List<CancelResult> results = Race.of(i -> () -> store().cancel(key(id), NOW.plusSeconds(i)));

            assertThat(results).containsOnlyOnce(CancelResult.CANCELLED);
            assertThat(results).containsOnly(CancelResult.CANCELLED, CancelResult.TOO_LATE);
            Instant winner = NOW.plusSeconds(results.indexOf(CancelResult.CANCELLED));
            assertThat(stored(id).settledAt()).isEqualTo(winner);
        }
    }

    private static StoredTimer cancelled(StoredTimer before, Instant at) {
        return new StoredTimer(
                before.key(),
                before.shard(),
                before.content(),
                TimerState.CANCELLED,
                before.generation(),
                before.attempt(),
                null,
                before.registeredAt(),
                at,
                before.previousAt(),
                before.failure());
    }
}
