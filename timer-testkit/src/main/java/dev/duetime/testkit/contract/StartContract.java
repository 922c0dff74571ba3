package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.Revival;
import dev.duetime.testkit.fault.Damage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule that {@code start} marks a todo as running, so that nothing is merged with it. */
abstract class StartContract extends ContractPart {

    StartContract(ScheduleStoreContract author) {
        super(author);
    }

    private boolean start(StoredTimer timer) {
        return store().start(timer.key(), timer.generation(), NOW);
    }

    private boolean isOffered(StoredTimer timer) {
        return store().correlated()
                .waiting(timer.content().queue(), tenant, "key", timer.content().type())
                .map(StoredTimer::key)
                .filter(timer.key()::equals)
                .isPresent();
    }

    @Test
    void startMarksATimerAndChangesNothingElse() {
        StoredTimer timer = given(full("a").step("one").dueAt(NOW));

        assertThat(start(timer)).isTrue();
        assertThat(start(timer)).isTrue();

        assertThat(stored("a")).isEqualTo(timer);
        assertThat(dueKeys(NOW, 3)).containsExactly(key("a"));
        assertThat(nextDue(List.of(3))).contains(NOW);
    }

    @Test
    void aTimerOfAnotherGenerationOrStateIsNotMarked() {
        StoredTimer timer = given(timer("a").correlationKey("key"));

        assertThat(store().start(timer.key(), timer.generation() + 1, NOW)).isFalse();
        assertThat(store().start(key("b"), timer.generation(), NOW)).isFalse();
        assertThat(store().start(TimerKey.of(otherTenant, "a"), timer.generation(), NOW))
                .isFalse();
        assertThat(isOffered(timer)).isTrue();
        for (TimerState state : TERMINAL) {
            StoredTimer ended = given(timer("a-" + state), state);
            assertThat(start(ended)).as(state.name()).isFalse();
            assertThat(stored(ended.key())).isEqualTo(ended);
        }
        damage(key("a"), Damage.UNKNOWN_STATE);
        assertThat(start(timer)).isFalse();
    }

    @Test
    void onlyTheStartedTodoIsNoLongerOffered() {
        StoredTimer first = given(timer("a").step("one").correlationKey("key"));
        StoredTimer second = given(timer("b").step("one").correlationKey("key"));

        start(second);

        assertThat(isOffered(second)).isFalse();
        assertThat(isOffered(first)).isTrue();
    }

    @Test
    void aTimerIsOfferedAgainOnceAnOutcomeIsSettled() {
        StoredTimer timer = given(timer("a").step("one").correlationKey("key"));
        start(timer);
        store().settle(List.of(retried(timer, NOW.plusSeconds(1))));
        assertThat(isOffered(timer)).isTrue();

        start(timer);
        assertThat(isOffered(timer)).isFalse();
        store().settle(List.of(advanced(timer, timer("a").step("two"))));
        assertThat(isOffered(stored("a"))).isTrue();

        assertThat(start(timer)).isFalse();
        assertThat(isOffered(stored("a"))).isTrue();
    }

    @Test
    void aTimerThatIsScheduledAgainHasNotStarted() {
        for (TimerState state : TERMINAL) {
            TimerDraft draft =
                    timer("a-" + state).queue(unique("q")).step("one").correlationKey("key");
            StoredTimer timer = given(draft);
            start(timer);
            store().settle(List.of(ended(timer, state)));
            assertThat(isOffered(timer)).isFalse();

            schedule(draft.rearm());

            assertThat(isOffered(timer)).as(state.name()).isTrue();
        }
        StoredTimer cancelled = given(timer("cancelled").correlationKey("key"));
        start(cancelled);
        store().cancel(cancelled.key(), NOW);
        schedule(timer("cancelled").correlationKey("key"));
        assertThat(isOffered(cancelled)).isTrue();

        start(stored("cancelled"));
        schedule(timer("cancelled").correlationKey("key").payload("moved"));
        assertThat(isOffered(cancelled)).isTrue();
    }

    @Test
    void aRevivedTimerHasNotStarted() {
        StoredTimer timer = given(timer("a").step("one").correlationKey("key"));
        start(timer);
        store().settle(List.of(ended(timer, TimerState.DEAD)));

        store().admin().revive(List.of(new Revival(timer.key(), timer.generation(), TimerDraft.nextGeneration())), NOW);

        assertThat(isOffered(timer)).isTrue();
    }
}
