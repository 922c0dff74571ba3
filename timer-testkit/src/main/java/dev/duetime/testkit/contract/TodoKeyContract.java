package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Revival;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The rule that the scope is a part of the key: a todo never equals a timer or a todo of another queue. */
abstract class TodoKeyContract extends ContractPart {
    private final TimerKey timer = key("a");
    private final TimerKey todo = TimerKey.ofTodo(tenant, queue, "a");
    private final TimerKey otherTodo = TimerKey.ofTodo(tenant, otherQueue, "a");

    TodoKeyContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aTimerAndTodosOfTwoQueuesMayHaveOneId() {
        List<NewTimer> all = List.of(
                timer(timer).payload("timer").build(),
                timer(todo).payload("todo").step("one").build(),
                timer(otherTodo).payload("other").step("one").build());

        for (NewTimer each : all) {
            assertThat(schedule(each)).isEqualTo(said(each, ScheduleOutcome.CREATED));
        }

        for (NewTimer each : all) {
            assertThat(stored(each.key())).isEqualTo(accepted(each));
        }
        assertThat(dueKeys(NOW, 0)).containsExactlyInAnyOrder(timer, todo, otherTodo);
    }

    @Test
    void aBatchDistinguishesTimersAndTodosOfOneId() {
        StoredTimer standing = given(timer(todo).step("one"));
        NewTimer fresh = timer(timer).build();

        assertThat(store().schedule(List.of(timer(todo).step("two").build(), fresh)))
                .containsExactly(said(standing, ScheduleOutcome.UNCHANGED), said(fresh, ScheduleOutcome.CREATED));
    }

    @Test
    void aTimerMovesToAQueueWithATodoOfTheSameId() {
        given(timer(timer));
        StoredTimer standing = given(timer(otherTodo).queue(otherQueue).step("one"));
        NewTimer moved = timer(timer).queue(otherQueue).build();

        assertThat(schedule(moved)).isEqualTo(said(moved, ScheduleOutcome.RESCHEDULED));
        assertThat(stored(timer)).isEqualTo(accepted(moved));
        assertThat(stored(otherTodo)).isEqualTo(standing);
    }

    @Test
    void cancellingOneChangesNoOtherOfTheSameId() {
        given(timer(timer));
        StoredTimer standing = given(timer(otherTodo).step("one"));

        assertThat(store().cancel(todo, NOW)).isEqualTo(CancelResult.NOT_FOUND);
        given(timer(todo).step("one"));
        assertThat(store().cancel(todo, NOW)).isEqualTo(CancelResult.CANCELLED);
        assertThat(store().cancel(todo, NOW)).isEqualTo(CancelResult.TOO_LATE);

        assertThat(stored(timer).state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(stored(otherTodo)).isEqualTo(standing);
    }

    @Test
    void anOutcomeIsWrittenForOneOfTheSameIdOnly() {
        List<Function<StoredTimer, Settlement>> outcomes = List.of(
                each -> ended(each, TimerState.DEAD),
                each -> retried(each, NOW.plusSeconds(7)),
                each -> moved(each, NOW.plusSeconds(7)),
                each -> advanced(each, timer(each.key()).step("two")),
                ContractPart::deleted);
        for (Function<StoredTimer, Settlement> outcome : outcomes) {
            long generation = TimerDraft.nextGeneration();
            schedule(timer(timer).rearm().build(generation));
            schedule(timer(todo).step("one").rearm().build(generation));
            StoredTimer standing = stored(timer);

            assertThat(store().settle(List.of(outcome.apply(stored(todo))))).isEqualTo(1);

            assertThat(stored(timer)).isEqualTo(standing);
            assertThat(store().find(todo)).isNotEqualTo(store().find(timer));
            store().settle(List.of(ended(standing, TimerState.REACHED)));
            store().find(todo)
                    .filter(left -> left.state() == TimerState.SCHEDULED)
                    .ifPresent(left -> store().settle(List.of(ended(left, TimerState.REACHED))));
        }
    }

    @Test
    void onlyTheGivenTodoOfAnIdIsStarted() {
        long generation = TimerDraft.nextGeneration();
        schedule(timer(timer).build(generation));
        schedule(timer(todo).correlationKey("k").step("one").build(generation));

        assertThat(store().start(timer, generation, NOW)).isTrue();

        assertThat(store().correlated().waiting(queue, tenant, "k", "test")).contains(stored(todo));
        assertThat(store().start(otherTodo, generation, NOW)).isFalse();
    }

    @Test
    void theGreatestScopeIsTheLatestOfOneDueTime() {
        given(timer(timer).correlationKey("k"));
        StoredTimer latest = given(timer(todo).correlationKey("k").step("one"));

        assertThat(this.<Optional<StoredTimer>>inTransaction(
                        false,
                        transaction -> store().in(transaction).correlated().waiting(queue, tenant, "k", "test")))
                .contains(latest);
    }

    @Test
    void pagesReturnAllTimersAndTodosOfOneId() {
        List<TimerKey> keys = List.of(timer, todo, otherTodo, TimerKey.of(tenant, "b"));
        keys.forEach(each -> given(timer(each)));

        List<TimerKey> read = new ArrayList<>();
        List<TimerKey> versions = new ArrayList<>();
        TimerQuery page = TimerQuery.all().allowScan().tenantId(tenant).limit(1);
        for (int i = 0; i < keys.size(); i++) {
            store().query(page).forEach(found -> read.add(found.key()));
            store().admin().versions(page, null).timers().forEach(found -> versions.add(found.key()));
            page = page.after(read.get(read.size() - 1));
        }

        assertThat(read).isEqualTo(keys.stream().sorted().toList()).isEqualTo(versions);
        assertThat(store().query(page)).isEmpty();
    }

    @Test
    void anOperatorChangesOneOfTheSameIdOnly() {
        long generation = TimerDraft.nextGeneration();
        for (TimerKey each : List.of(timer, todo)) {
            schedule(timer(each).build(generation));
            store().settle(List.of(ended(stored(each), TimerState.DEAD)));
        }
        StoredTimer standing = stored(timer);

        assertThat(store().admin().revive(List.of(new Revival(todo, generation, generation)), NOW))
                .isEqualTo(1);
        assertThat(store().admin().cancel(versions(generation, TimerState.SCHEDULED), NOW))
                .isEqualTo(1);
        assertThat(store().admin().delete(versions(generation, TimerState.CANCELLED)))
                .isEqualTo(1);

        assertThat(store().find(todo)).isEmpty();
        assertThat(stored(timer)).isEqualTo(standing);
    }

    private List<TimerVersion> versions(long generation, TimerState state) {
        return List.of(new TimerVersion(todo, generation, state, false));
    }

    @Test
    void aPurgeDeletesAllTimersAndTodosOfOneId() {
        for (TimerKey each : List.of(timer, todo, otherTodo)) {
            given(timer(each), TimerState.REACHED);
        }

        assertThat(store().purge(queue, NOW.plusSeconds(2), 2)).isEqualTo(2);
        assertThat(store().purge(queue, NOW.plusSeconds(2), 2)).isEqualTo(1);
    }
}
