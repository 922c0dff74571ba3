package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Moved;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of timers that move to another occurrence. */
abstract class RecurrenceMoveContract extends RecurrencePart {
    private static final int MANY = 2_000;

    RecurrenceMoveContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aMovedTimerIsScheduledForAnotherOccurrenceAsANewGeneration() {
        StoredTimer before = given(hourly("a").shard(2).payload("p").priority(3).expiresAt(NOW.plusSeconds(5)));
        store().settle(List.of(retried(before, NOW.plusSeconds(1))));
        StoredTimer neighbour = given(hourly("b"));
        Failure failure = new Failure("refused", NOW.plus(TICK), NOW.plus(TICK).plus(TICK));
        Moved moved = new Moved(
                before.key(),
                before.generation(),
                TimerDraft.nextGeneration(),
                NEXT,
                NEXT.plusSeconds(5).plus(TICK),
                NOW.minus(TICK),
                failure);

        assertThat(store().settle(List.of(moved))).isEqualTo(1);

        assertThat(stored("a")).isEqualTo(row(before, moved));
        assertThat(stored("b")).isEqualTo(neighbour);
    }

    @Test
    void aMoveMayLeaveNoDeadlineNoPreviousAndNoFailure() {
        StoredTimer before = given(hourly("a").expiresAt(NOW.plusSeconds(5)));
        Moved first = new Moved(
                before.key(), before.generation(), TimerDraft.nextGeneration(), NEXT, NEXT, NOW, failure("x"));
        store().settle(List.of(first));
        Moved second = new Moved(
                before.key(), first.nextGeneration(), TimerDraft.nextGeneration(), NEXT.plus(TICK), null, null, null);

        assertThat(store().settle(List.of(second))).isEqualTo(1);

        assertThat(stored("a")).isEqualTo(row(before, second));
    }

    @Test
    void aMovedTimerIsDueAtItsOccurrenceAndNotBefore() {
        StoredTimer before = given(hourly("a").shard(2));
        store().settle(List.of(moved(before, NEXT)));

        assertThat(dueKeys(NEXT.minus(TICK), 2)).isEmpty();
        assertThat(nextDue(List.of(2))).contains(NEXT);
        assertThat(due(NEXT, List.of(2), 10).timers()).containsExactly(stored("a"));
        assertThat(store().query(TimerQuery.all().allowScan().queue(queue).due(NEXT, NEXT.plus(TICK))))
                .containsExactly(stored("a"));
    }

    @Test
    void movingTwiceCountsOnce() {
        StoredTimer before = given(hourly("a"));
        List<Settlement> outcomes = List.of(moved(before, NEXT));
        assertThat(store().settle(outcomes)).isEqualTo(1);
        StoredTimer once = stored("a");

        assertThat(store().settle(outcomes)).isZero();
        assertThat(store().settle(List.of(ended(before, TimerState.REACHED)))).isZero();

        assertThat(stored("a")).isEqualTo(once);
    }

    @Test
    void manyTimersAreMovedAtOnce() {
        List<NewTimer> timers = IntStream.range(0, MANY)
                .mapToObj(i -> timer(i % 2 == 0 ? key("a" + i) : TimerKey.of(otherTenant, "a" + i))
                        .recurrence(HOURLY)
                        .build())
                .toList();
        store().schedule(timers);
        StoredTimer bystander = given(hourly("bystander"));

        assertThat(store().settle(timers.stream()
                        .map(each -> moved(accepted(each), NEXT))
                        .toList()))
                .isEqualTo(MANY);

        assertThat(store().query(TimerQuery.all()
                        .allowScan()
                        .queue(queue)
                        .due(NEXT, NEXT.plus(TICK))
                        .limit(MANY + 1)))
                .hasSize(MANY)
                .allSatisfy(each -> assertThat(each.previousAt()).isEqualTo(NOW));
        assertThat(stored("bystander")).isEqualTo(bystander);
    }

    @Test
    void aMoveChangesNoTimerOfAnotherTenantWithTheSameGeneration() {
        NewTimer moved = hourly("a").build();
        NewTimer other = new NewTimer(
                TimerKey.of(otherTenant, moved.key().timerId()),
                moved.shard(),
                moved.content(),
                moved.generation(),
                moved.registeredAt(),
                moved.rearm());
        store().schedule(List.of(moved, other));

        assertThat(store().settle(List.of(moved(accepted(moved), NEXT)))).isEqualTo(1);

        assertThat(stored(moved.key()).dueAt()).isEqualTo(NEXT);
        assertThat(stored(other.key())).isEqualTo(accepted(other));
    }
}
