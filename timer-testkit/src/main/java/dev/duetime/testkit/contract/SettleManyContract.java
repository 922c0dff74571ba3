package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Ended;
import dev.duetime.store.Settlement.Retried;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The rule that of many outcomes which are written together each reaches its own timer, with its own values. */
abstract class SettleManyContract extends ContractPart {
    private static final int LONGEST_ID = 255;
    private static final int LONGEST_ERROR = 1_000;
    private static final List<String> ERRORS = List.of(
            "",
            "null",
            "quoted \"twice\" and 'once', \\ and \\u0041",
            "{\"a\":[1,2]}]",
            "two\nlines\tand a tab",
            "\uD83D\uDE00 caf\u00E9 \u4E2D",
            "x".repeat(LONGEST_ERROR));

    SettleManyContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void keysThatLookAlikeAreDeletedEachByItself() {
        each(
                ContractPart::deleted,
                (before, id) -> assertThat(store().find(before.key())).as(id).isEmpty());
    }

    @Test
    void keysThatLookAlikeAreEndedEachByItself() {
        each(
                timer -> ended(timer, TimerState.REACHED),
                (before, id) -> assertThat(stored(before.key()).state()).as(id).isEqualTo(TimerState.REACHED));
    }

    @Test
    void keysThatLookAlikeAreRetriedEachByItself() {
        each(
                timer -> retried(timer, NOW.plusSeconds(9)),
                (before, id) -> assertThat(stored(before.key()).wakeAt()).as(id).isEqualTo(NOW.plusSeconds(9)));
    }

    private interface Check {
        void of(StoredTimer before, String id);
    }

    /** Settles every second one of the keys that look alike, all together. */
    private void each(Function<StoredTimer, Settlement> outcome, Check settled) {
        List<StoredTimer> before = KeyContract.CONFUSABLE.stream()
                .map(id -> given(timer(TimerKey.of(tenant, id))))
                .toList();
        List<Settlement> outcomes = new ArrayList<>();
        for (int i = 0; i < before.size(); i += 2) {
            outcomes.add(outcome.apply(before.get(i)));
        }

        assertThat(store().settle(outcomes)).isEqualTo(outcomes.size());

        for (int i = 0; i < before.size(); i++) {
            String id = before.get(i).key().timerId();
            if (i % 2 == 0) {
                settled.of(before.get(i), id);
            } else {
                assertThat(stored(before.get(i).key())).as(id).isEqualTo(before.get(i));
            }
        }
    }

    @Test
    void eachTimerGetsItsOwnFailure() {
        List<StoredTimer> ended = new ArrayList<>();
        List<StoredTimer> retried = new ArrayList<>();
        List<Settlement> outcomes = new ArrayList<>();
        for (int i = 0; i < ERRORS.size(); i++) {
            ended.add(given(timer("ended" + i)));
            retried.add(given(timer("retried" + i)));
            outcomes.add(new Ended(
                    ended.get(i).key(), ended.get(i).generation(), TimerState.DEAD, NOW.plusSeconds(i), i, failed(i)));
            outcomes.add(
                    new Retried(retried.get(i).key(), retried.get(i).generation(), NOW.plusSeconds(i), i, failed(i)));
        }
        StoredTimer without = given(timer("without"));
        outcomes.add(ended(without, TimerState.REACHED, null));

        assertThat(store().settle(outcomes)).isEqualTo(outcomes.size());

        for (int i = 0; i < ERRORS.size(); i++) {
            StoredTimer dead = stored(ended.get(i).key());
            assertThat(dead.failure()).isEqualTo(failed(i));
            assertThat(dead.settledAt()).isEqualTo(NOW.plusSeconds(i));
            assertThat(dead.attempt()).isEqualTo(i);
            StoredTimer waiting = stored(retried.get(i).key());
            assertThat(waiting.failure()).isEqualTo(failed(i));
            assertThat(waiting.wakeAt()).isEqualTo(NOW.plusSeconds(i));
            assertThat(waiting.attempt()).isEqualTo(i);
        }
        assertThat(stored("without").failure()).isNull();
    }

    private static Failure failed(int i) {
        return new Failure(ERRORS.get(i), NOW.plusSeconds(i), NOW.plusSeconds(i + 1));
    }

    @Test
    void aRetryWithoutAFailureKeepsTheLastOneAmongOthers() {
        StoredTimer failedBefore = given(timer("a"));
        StoredTimer never = given(timer("b"));
        store().settle(List.of(retried(failedBefore, NOW)));

        int count = store().settle(List.of(
                new Retried(failedBefore.key(), failedBefore.generation(), NOW.plusSeconds(3), 2, null),
                new Retried(never.key(), never.generation(), NOW.plusSeconds(4), 2, null)));

        assertThat(count).isEqualTo(2);
        assertThat(stored("a").failure()).isEqualTo(failure("unreachable"));
        assertThat(stored("a").wakeAt()).isEqualTo(NOW.plusSeconds(3));
        assertThat(stored("b").failure()).isNull();
    }

    @Test
    void anyGenerationIsMatchedExactly() {
        List<Long> generations = List.of(1L, (1L << 53) + 1, (1L << 53) + 2, (1L << 62) - 2, (1L << 62) - 1);
        List<NewTimer> timers =
                generations.stream().map(each -> timer("g" + each).build(each)).toList();
        store().schedule(timers);

        List<Settlement> others = timers.stream()
                .<Settlement>map(each -> new Settlement.Deleted(each.key(), each.generation() ^ 1))
                .toList();
        assertThat(store().settle(others)).isZero();

        assertThat(store().settle(timers.stream()
                        .map(each -> deleted(accepted(each)))
                        .toList()))
                .isEqualTo(timers.size());
    }

    @Test
    void theLongestKeysFitIntoOneCall() {
        List<StoredTimer> before = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            String id = "\u4E2D".repeat(LONGEST_ID - 4) + (1_000 + i);
            before.add(accepted(timer(TimerKey.of(tenant, id)).build()));
        }
        store().schedule(before.stream()
                .map(each -> timer(each.key()).build(each.generation()))
                .toList());
        Failure failure = new Failure("\u4E2D".repeat(LONGEST_ERROR), NOW, NOW);

        assertThat(store().settle(before.stream()
                        .map(each -> ended(each, TimerState.DEAD, failure))
                        .toList()))
                .isEqualTo(before.size());

        assertThat(stored(before.get(999).key()).failure()).isEqualTo(failure);
    }
}
