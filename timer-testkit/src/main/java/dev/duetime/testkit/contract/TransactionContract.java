package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that the store joins the caller's transaction: it neither commits, rolls back nor closes it. */
abstract class TransactionContract extends ContractPart {

    TransactionContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aTransactionOfAnUnknownKindIsRefused() {
        Transaction unknown = new Transaction() {};

        assertThatThrownBy(() -> store().in(unknown)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCommitMakesASchedulePermanent() {
        NewTimer timer = timer("a").payload("x").shard(2).build();

        ScheduleResult result =
                committed(writes -> writes.schedule(List.of(timer)).get(0));

        assertThat(result.outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(stored("a")).isEqualTo(accepted(timer));
        assertThat(dueKeys(NOW, 2)).containsExactly(key("a"));
    }

    @Test
    void aRollbackLeavesNothingOfASchedule() {
        ScheduleResult result = rolledBack(
                writes -> writes.schedule(List.of(timer("a").build())).get(0));

        assertThat(result.outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(store().find(key("a"))).isEmpty();
        assertThat(dueKeys(NOW, 0)).isEmpty();
        assertThat(schedule(timer("a")).outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    @Test
    void aRollbackLeavesARescheduledTimerAsItWas() {
        StoredTimer before = given(timer("a").payload("first"));

        ScheduleResult result = rolledBack(writes ->
                writes.schedule(List.of(timer("a").payload("second").build())).get(0));

        assertThat(result.outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);
        assertThat(stored("a")).isEqualTo(before);
    }

    @Test
    void aCommitMakesACancelPermanentAndARollbackUndoesIt() {
        StoredTimer before = given(timer("a"));

        CancelResult undone = rolledBack(writes -> writes.cancel(key("a"), NOW));
        assertThat(undone).isEqualTo(CancelResult.CANCELLED);
        assertThat(stored("a")).isEqualTo(before);

        CancelResult permanent = committed(writes -> writes.cancel(key("a"), NOW));
        assertThat(permanent).isEqualTo(CancelResult.CANCELLED);
        assertThat(stored("a").state()).isEqualTo(TimerState.CANCELLED);
        assertThat(stored("a").settledAt()).isEqualTo(NOW);
    }

    @Test
    void nothingIsVisibleOutsideBeforeTheCommit() {
        StoredTimer before = given(timer("old").payload("first"));
        StoredTimer toCancel = given(timer("to cancel").dueAt(NOW.minus(TICK)));

        committed(doing(writes -> {
            writes.schedule(
                    List.of(timer("new").build(), timer("old").payload("second").build()));
            writes.cancel(toCancel.key(), NOW);

            assertThat(store().find(key("new"))).isEmpty();
            assertThat(stored("old")).isEqualTo(before);
            assertThat(stored("to cancel")).isEqualTo(toCancel);
            assertThat(store().query(TimerQuery.all().allowScan().tenantId(tenant)))
                    .containsExactly(before, toCancel);
            assertThat(dueKeys(NOW, 0)).containsExactly(toCancel.key(), before.key());
        }));

        assertThat(dueKeys(NOW, 0)).containsExactlyInAnyOrder(key("new"), key("old"));
    }

    @Test
    void theTransactionSeesItsOwnWrites() {
        NewTimer timer = timer("a").build();

        rolledBack(doing(writes -> {
            assertThat(writes.find(key("a"))).isEmpty();
            writes.schedule(List.of(timer));
            assertThat(writes.find(key("a"))).contains(accepted(timer));
            writes.cancel(key("a"), NOW);
            assertThat(writes.find(key("a"))).map(StoredTimer::state).contains(TimerState.CANCELLED);
        }));
    }

    @Test
    void theTransactionSeesWhatWasCommittedBefore() {
        StoredTimer timer = given(timer("a"));
        given(timer(TimerKey.of(otherTenant, "b")));

        rolledBack(doing(writes -> {
            assertThat(writes.find(key("a"))).contains(timer);
            assertThat(writes.find(key("b"))).isEmpty();
        }));
    }

    @Test
    void severalCallsInOneTransactionFollowEachOther() {
        NewTimer last = timer("a").payload("last").build();

        List<Object> outcomes = committed(writes -> {
            List<Object> said = new ArrayList<>();
            said.add(outcome(writes, timer("a").build()));
            said.add(outcome(writes, timer("a").build()));
            said.add(outcome(writes, timer("a").payload("other").build()));
            said.add(writes.cancel(key("a"), NOW));
            said.add(writes.cancel(key("a"), NOW));
            said.add(outcome(writes, last));
            said.add(writes.cancel(key("b"), NOW));
            return said;
        });

        assertThat(outcomes)
                .containsExactly(
                        ScheduleOutcome.CREATED,
                        ScheduleOutcome.UNCHANGED,
                        ScheduleOutcome.RESCHEDULED,
                        CancelResult.CANCELLED,
                        CancelResult.TOO_LATE,
                        ScheduleOutcome.CREATED,
                        CancelResult.NOT_FOUND);
        assertThat(stored("a")).isEqualTo(accepted(last));
    }

    @Test
    void endedTimersAreIgnoredAndTooLateInsideToo() {
        StoredTimer reached = given(timer("a"), TimerState.REACHED);

        List<Object> outcomes = committed(
                writes -> List.of(outcome(writes, timer("a").payload("x").build()), writes.cancel(key("a"), NOW)));

        assertThat(outcomes).containsExactly(ScheduleOutcome.IGNORED, CancelResult.TOO_LATE);
        assertThat(stored("a")).isEqualTo(reached);
    }

    @Test
    void viewsOfOneTransactionShareIt() {
        ScheduleOutcome second = inTransaction(true, transaction -> {
            store().in(transaction).schedule(List.of(timer("a").build()));
            return store().in(transaction)
                    .schedule(List.of(timer("a").build()))
                    .get(0)
                    .outcome();
        });

        assertThat(second).isEqualTo(ScheduleOutcome.UNCHANGED);
    }

    @Test
    void aBatchOfAThousandIsCommittedOrRolledBackAsAWhole() {
        List<NewTimer> batch = new ArrayList<>(IntStream.range(0, 1_000)
                .mapToObj(i -> timer("a" + i).payload("p" + i).build())
                .toList());
        batch.add(timer("a0").payload("again").build());
        Collections.reverse(batch);
        TimerQuery all = TimerQuery.all().allowScan().queue(queue).limit(10_000);

        List<ScheduleResult> undone = rolledBack(writes -> writes.schedule(batch));
        assertThat(undone).hasSize(1_001);
        assertThat(store().query(all)).isEmpty();

        committed(writes -> writes.schedule(batch));
        assertThat(store().query(all)).hasSize(1_000);
        assertThat(stored("a0")).isEqualTo(accepted(batch.get(1_000)));
    }

    @Test
    void noTimersAreLegalAndDoNothing() {
        List<ScheduleResult> results = committed(writes -> writes.schedule(List.of()));

        assertThat(results).isEmpty();
    }

    @Test
    void theStoreStillWorksAfterARollback() {
        rolledBack(writes -> writes.schedule(List.of(timer("a").build())));

        NewTimer timer = timer("a").payload("later").build();
        committed(writes -> writes.schedule(List.of(timer)));

        assertThat(stored("a")).isEqualTo(accepted(timer));
    }

    private <R> R committed(Function<TimerWrites, R> work) {
        return inTransaction(true, transaction -> work.apply(store().in(transaction)));
    }

    private <R> R rolledBack(Function<TimerWrites, R> work) {
        return inTransaction(false, transaction -> work.apply(store().in(transaction)));
    }

    private static Function<TimerWrites, Boolean> doing(Consumer<TimerWrites> work) {
        return writes -> {
            work.accept(writes);
            return true;
        };
    }

    private static ScheduleOutcome outcome(TimerWrites writes, NewTimer timer) {
        return writes.schedule(List.of(timer)).get(0).outcome();
    }
}
