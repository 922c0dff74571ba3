package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Advanced;
import dev.duetime.testkit.fault.Damage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule that {@code Advanced} moves a todo to its next step, as a new generation. */
abstract class AdvanceContract extends ContractPart {
    private static final Instant LATER = NOW.plusSeconds(30);

    AdvanceContract(ScheduleStoreContract author) {
        super(author);
    }

    /** Returns a todo that differs in every part, also in those that must not be written. */
    private NewTimer next(String timerId) {
        return timer(timerId)
                .shard(1)
                .queue(otherQueue)
                .type("other")
                .headers(Map.of("other", "1"))
                .correlationId("other")
                .parallelKey("other")
                .correlationKey("other")
                .registeredAt(NOW.plusSeconds(99))
                .step("two")
                .dueAt(LATER)
                .expiresAt(LATER.plusSeconds(5))
                .priority(-7)
                .payload("new")
                .build();
    }

    private static StoredTimer expected(StoredTimer before, Advanced outcome) {
        StoredTimer next = outcome.next();
        TimerContent content = before.content();
        return new StoredTimer(
                before.key(),
                before.shard(),
                new TimerContent(
                        content.queue(),
                        next.dueAt(),
                        next.content().expiresAt(),
                        content.type(),
                        outcome.withPayload() ? next.content().payload() : content.payload(),
                        content.headers(),
                        next.content().priority(),
                        content.correlationId(),
                        content.parallelKey(),
                        content.correlationKey(),
                        content.recurrence(),
                        content.catchUp(),
                        next.content().step()),
                TimerState.SCHEDULED,
                next.generation(),
                next.attempt(),
                next.wakeAt(),
                before.registeredAt(),
                null,
                before.previousAt(),
                next.failure());
    }

    private static Advanced withoutPayload(Advanced outcome) {
        return new Advanced(outcome.generation(), outcome.next(), false);
    }

    @Test
    void anAdvanceChangesExactlyTheGivenParts() {
        StoredTimer before = given(full("a").step("one"));
        StoredTimer other = given(full("b").step("one"));
        Advanced outcome = advanced(before, next("a"), 3, failure("why"));

        assertThat(store().settle(List.of(outcome))).isEqualTo(1);

        assertThat(stored("a")).isEqualTo(expected(before, outcome));
        assertThat(stored("b")).isEqualTo(other);
        assertThat(dueKeys(LATER.minus(TICK), 3)).doesNotContain(key("a"));
        assertThat(dueKeys(LATER, 3)).contains(key("a"));
    }

    @Test
    void aPayloadThatHasNotChangedStays() {
        StoredTimer before = given(full("a").step("one").payload(new byte[] {0, 1, -1}));
        Advanced outcome = withoutPayload(advanced(before, next("a"), 0, null));

        assertThat(store().settle(List.of(outcome))).isEqualTo(1);

        assertThat(stored("a")).isEqualTo(expected(before, outcome));
        assertThat(stored("a").content().payload()).isEqualTo(before.content().payload());
    }

    @Test
    void aPayloadMayBecomeEmpty() {
        StoredTimer before = given(full("a").step("one"));
        Advanced outcome = advanced(before, timer("a").step("two").build(), 0, null);

        assertThat(store().settle(List.of(outcome))).isEqualTo(1);

        assertThat(stored("a")).isEqualTo(expected(before, outcome));
        assertThat(stored("a").content().payload().size()).isZero();
    }

    @Test
    void anAdvanceWithoutAFailureClearsIt() {
        StoredTimer before = given(full("a").step("one"));
        store().settle(List.of(retried(before, LATER)));
        assertThat(stored("a").failure()).isNotNull();

        store().settle(List.of(advanced(before, timer("a").step("two"))));

        assertThat(stored("a").failure()).isNull();
        assertThat(stored("a").attempt()).isZero();
        assertThat(stored("a").content().expiresAt()).isNull();
    }

    @Test
    void theWakeTimeMayDifferFromTheDueTime() {
        StoredTimer before = given(timer("a").step("one"));
        StoredTimer next = accepted(timer("a").step("one").build());
        StoredTimer asleep = new StoredTimer(
                next.key(),
                next.shard(),
                next.content(),
                next.state(),
                next.generation(),
                1,
                LATER,
                next.registeredAt(),
                null,
                null,
                failure("why"));

        store().settle(List.of(new Advanced(before.generation(), asleep, true)));

        assertThat(stored("a").dueAt()).isEqualTo(NOW);
        assertThat(stored("a").wakeAt()).isEqualTo(LATER);
        assertThat(dueKeys(LATER.minus(TICK), 0)).isEmpty();
    }

    @Test
    void anotherGenerationIsSkipped() {
        StoredTimer before = given(timer("a").step("one"));
        Advanced outcome = advanced(before, timer("a").step("two"));
        store().settle(List.of(outcome));
        StoredTimer standing = stored("a");

        assertThat(store().settle(List.of(outcome))).isZero();
        assertThat(store().settle(List.of(advanced(before, timer("a").step("three")))))
                .isZero();
        assertThat(store().settle(List.of(ended(before, TimerState.REACHED)))).isZero();
        assertThat(stored("a")).isEqualTo(standing);

        assertThat(store().settle(List.of(ended(standing, TimerState.REACHED)))).isEqualTo(1);
    }

    @Test
    void aTimerThatIsNotScheduledIsSkipped() {
        for (TimerState state : TERMINAL) {
            StoredTimer ended = given(timer("a-" + state).step("one"), state);

            assertThat(store().settle(
                                    List.of(advanced(ended, timer("a-" + state).step("two")))))
                    .isZero();
            assertThat(stored(ended.key())).isEqualTo(ended);
        }
        StoredTimer gone = given(timer("gone").step("one"));
        store().settle(List.of(deleted(gone)));

        assertThat(store().settle(List.of(advanced(gone, timer("gone").step("two")))))
                .isZero();
        assertThat(store().find(gone.key())).isEmpty();
    }

    @Test
    void aRowInAnUnknownStateIsSkipped() {
        StoredTimer before = given(timer("a").step("one"));
        damage(key("a"), Damage.UNKNOWN_STATE);

        assertThat(store().settle(List.of(advanced(before, timer("a").step("two")))))
                .isZero();
    }

    @Test
    void theSameTimerOfAnotherTenantIsLeftAlone() {
        StoredTimer mine = given(timer("a").step("one"));
        StoredTimer others = given(timer(TimerKey.of(otherTenant, "a")).step("one"));

        assertThat(store().settle(List.of(advanced(mine, timer("a").step("two")))))
                .isEqualTo(1);

        assertThat(stored(others.key())).isEqualTo(others);
    }

    @Test
    void aBatchMixesAllKinds() {
        List<Settlement> outcomes = new ArrayList<>();
        List<Advanced> moves = new ArrayList<>();
        List<StoredTimer> before = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            StoredTimer todo = given(full("a" + i).step("one").payload("p" + i));
            Advanced outcome = advanced(todo, next("a" + i), i, i % 3 == 0 ? failure("f" + i) : null);
            moves.add(i % 2 == 0 ? outcome : withoutPayload(outcome));
            before.add(todo);
        }
        outcomes.addAll(moves);
        outcomes.add(ended(given(timer("b").step("one")), TimerState.REACHED));
        outcomes.add(deleted(given(timer("c").step("one"))));
        outcomes.add(retried(given(timer("d").step("one")), LATER));
        outcomes.add(new Advanced(17, accepted(timer("none").step("one").build()), true));

        assertThat(store().settle(outcomes)).isEqualTo(103);

        for (int i = 0; i < before.size(); i++) {
            assertThat(stored("a" + i)).isEqualTo(expected(before.get(i), moves.get(i)));
        }
        assertThat(stored("b").state()).isEqualTo(TimerState.REACHED);
        assertThat(store().find(key("c"))).isEmpty();
        assertThat(stored("d").wakeAt()).isEqualTo(LATER);
    }
}
