package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.testkit.fault.Damage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests of what a step does to a schedule. With a {@code step} a timer is a todo, which is never replaced while it is
 * scheduled.
 */
abstract class StepContract extends ContractPart {

    StepContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void everyReadReturnsTheStep() {
        NewTimer todo = full("a").step("send: \u00FC \uD83D\uDCE7").dueAt(NOW).build();

        assertThat(schedule(todo)).isEqualTo(said(todo, ScheduleOutcome.CREATED));

        assertThat(stored("a")).isEqualTo(accepted(todo));
        assertThat(store().query(TimerQuery.all().allowScan().queue(queue))).containsExactly(accepted(todo));
        assertThat(due(NOW, List.of(3), 10).timers()).containsExactly(accepted(todo));
    }

    @Test
    void aTimerHasNoStep() {
        assertThat(given(full("a")).content().step()).isNull();
    }

    @Test
    void aRepeatOfATodoIsUnchangedWhateverItsContent() {
        StoredTimer todo = given(full("a").step("one"));

        List.of(
                        full("a").step("one"),
                        full("a").step("two"),
                        full("a"),
                        full("a").step("one").payload("other"),
                        full("a").step("one").dueAt(NOW.plusSeconds(1)),
                        full("a").step("one").rearm(),
                        timer("a").queue(otherQueue),
                        timer("a").recurrence("every " + Duration.ofMinutes(1)))
                .forEach(repeat -> assertThat(schedule(repeat)).isEqualTo(said(todo, ScheduleOutcome.UNCHANGED)));

        assertThat(stored("a")).isEqualTo(todo);
    }

    @Test
    void aRepeatIsUnchangedAfterOtherSteps() {
        StoredTimer todo = given(full("a").step("one"));
        store().settle(List.of(advanced(todo, full("a").step("two"))));
        StoredTimer next = stored("a");

        assertThat(schedule(full("a").step("one"))).isEqualTo(said(next, ScheduleOutcome.UNCHANGED));
        assertThat(stored("a")).isEqualTo(next);
    }

    @Test
    void aTodoIsUnchangedInABatchWithARescheduledTimer() {
        StoredTimer todo = given(timer("todo").step("one"));
        given(timer("timer"));
        NewTimer moved = timer("timer").payload("other").build();
        NewTimer fresh = timer("new").step("one").build();

        assertThat(store().schedule(List.of(
                        timer("todo").payload("other").build(),
                        moved,
                        fresh,
                        timer("new").payload("x").build())))
                .containsExactly(
                        said(todo, ScheduleOutcome.UNCHANGED),
                        said(moved, ScheduleOutcome.RESCHEDULED),
                        said(fresh, ScheduleOutcome.CREATED),
                        said(accepted(fresh), ScheduleOutcome.UNCHANGED));
        assertThat(stored("new")).isEqualTo(accepted(fresh));
    }

    @Test
    void aTimerIsReplacedByATodo() {
        given(full("a"));
        NewTimer todo = full("a").step("one").build();

        assertThat(schedule(todo)).isEqualTo(said(todo, ScheduleOutcome.RESCHEDULED));
        assertThat(stored("a")).isEqualTo(accepted(todo));
    }

    @Test
    void anEndedTodoIsScheduledAgainAsAnEndedTimerIs() {
        given(full("cancelled").step("one"), TimerState.CANCELLED);
        NewTimer again = full("cancelled").step("two").build();
        assertThat(schedule(again)).isEqualTo(said(again, ScheduleOutcome.CREATED));
        assertThat(stored("cancelled")).isEqualTo(accepted(again));

        StoredTimer reached = given(full("reached").step("one"), TimerState.REACHED);
        assertThat(schedule(full("reached").step("one"))).isEqualTo(said(reached, ScheduleOutcome.IGNORED));
        assertThat(reached.content().step()).isEqualTo("one");

        NewTimer rearmed = full("reached").rearm().build();
        assertThat(schedule(rearmed)).isEqualTo(said(rearmed, ScheduleOutcome.CREATED));
        assertThat(stored("reached").content().step()).isNull();
    }

    @Test
    void aTodoThatCannotBeReadIsUnchanged() {
        given(full("a").step("one"));
        damage(key("a"), Damage.UNREADABLE_CONTENT);
        StoredTimer damaged = stored("a");

        assertThat(schedule(full("a").payload("other"))).isEqualTo(said(damaged, ScheduleOutcome.UNCHANGED));
        assertThat(stored("a")).isEqualTo(damaged);
    }
}
