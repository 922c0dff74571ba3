package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerWrites;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of transactions that a store begins itself. */
abstract class OwnTransactionContract extends ContractPart {

    OwnTransactionContract(ScheduleStoreContract author) {
        super(author);
    }

    /** Makes one write of each kind. */
    private void write(TimerWrites writes, StoredTimer ended, StoredTimer cancelled) {
        assertThat(writes.schedule(List.of(timer("new").step("one").build()))
                        .get(0)
                        .outcome())
                .isEqualTo(ScheduleOutcome.CREATED);
        assertThat(writes.settle(List.of(ended(ended, TimerState.REACHED)))).isEqualTo(1);
        assertThat(writes.cancel(cancelled.key(), NOW)).isEqualTo(CancelResult.CANCELLED);
        writes.todos().put(List.of(new ListItem(new ListKey(queue, "item"), NOW)));
    }

    @Test
    void writesAreVisibleToOthersOnlyAfterTheCommit() {
        StoredTimer ended = given(timer("ended"));
        StoredTimer cancelled = given(timer("cancelled"));
        try (OwnTransaction own = store().begin()) {
            write(own.writes(), ended, cancelled);

            assertThat(own.writes().find(key("new"))).isPresent();
            assertThat(own.writes().find(ended.key()).orElseThrow().state()).isEqualTo(TimerState.REACHED);
            assertThat(store().find(key("new"))).isEmpty();
            assertThat(stored("ended")).isEqualTo(ended);
            assertThat(stored("cancelled")).isEqualTo(cancelled);

            own.commit();
            assertThat(store().find(key("new"))).isPresent();
        }
        assertThat(stored("ended").state()).isEqualTo(TimerState.REACHED);
        assertThat(stored("cancelled").state()).isEqualTo(TimerState.CANCELLED);
        assertThat(store().todos().find(new ListKey(queue, "item"))).isPresent();
        assertThat(dueKeys(NOW, 0)).containsExactly(key("new"));
    }

    @Test
    void uncommittedWritesAreUndoneByClosing() {
        StoredTimer ended = given(timer("ended"));
        StoredTimer cancelled = given(timer("cancelled"));
        try (OwnTransaction own = store().begin()) {
            write(own.writes(), ended, cancelled);
        }
        assertThat(store().find(key("new"))).isEmpty();
        assertThat(stored("ended")).isEqualTo(ended);
        assertThat(stored("cancelled")).isEqualTo(cancelled);
        assertThat(store().todos().find(new ListKey(queue, "item"))).isEmpty();
    }

    @Test
    void othersMayWriteAfterTheTransactionIsClosed() {
        for (int i = 0; i < 30; i++) {
            try (OwnTransaction own = store().begin()) {
                own.writes().schedule(List.of(timer("a").payload("p" + i).build()));
                own.writes().correlated().lock(queue, List.of("key"));
                if (i % 2 == 0) {
                    own.commit();
                }
            }
            NewTimer other = timer("a").payload("other" + i).build();
            schedule(other);
            assertThat(stored("a")).isEqualTo(accepted(other));
        }
    }

    @Test
    void aSkippedOutcomeIsReportedAndTheOtherWritesCanBeRolledBack() {
        StoredTimer todo = given(timer("todo").step("one"));
        store().settle(List.of(advanced(todo, timer("todo").step("two"))));

        try (OwnTransaction own = store().begin()) {
            own.writes().schedule(List.of(timer("new").build()));
            assertThat(own.writes().settle(List.of(advanced(todo, timer("todo").step("three")))))
                    .isZero();
        }

        assertThat(store().find(key("new"))).isEmpty();
        assertThat(stored("todo").content().step()).isEqualTo("two");
    }

    @Test
    void outcomesOfAllKindsAreWrittenTogether() {
        StoredTimer todo = given(timer("todo").step("one"));
        StoredTimer retried = given(timer("retried"));
        StoredTimer deleted = given(timer("deleted"));
        StoredTimer moved = given(timer("moved").recurrence("every PT1M"));
        List<Settlement> outcomes = List.of(
                advanced(todo, timer("todo").step("two")),
                retried(retried, NOW.plusSeconds(1)),
                deleted(deleted),
                moved(moved, NOW.plusSeconds(60)));

        try (OwnTransaction own = store().begin()) {
            assertThat(own.writes().settle(outcomes)).isEqualTo(4);
            assertThat(own.writes().settle(outcomes)).isEqualTo(1);
            own.commit();
        }

        assertThat(stored("todo").content().step()).isEqualTo("two");
        assertThat(stored("retried").attempt()).isEqualTo(1);
        assertThat(store().find(deleted.key())).isEmpty();
        assertThat(stored("moved").dueAt()).isEqualTo(NOW.plusSeconds(60));
    }

    @Test
    void othersCanJoinTheTransaction() {
        try (OwnTransaction own = store().begin()) {
            store().in(own.transaction()).schedule(List.of(timer("joined").build()));
            assertThat(own.writes().find(key("joined"))).isPresent();
            assertThat(store().find(key("joined"))).isEmpty();
            own.commit();
        }
        assertThat(store().find(key("joined"))).isPresent();
    }

    @Test
    void aCallersTransactionSettlesToo() {
        StoredTimer kept = given(timer("kept"));
        StoredTimer ended = given(timer("ended"));

        inTransaction(false, transaction -> store().in(transaction).settle(List.of(ended(kept, TimerState.REACHED))));
        int count = inTransaction(true, transaction -> {
            TimerWrites writes = store().in(transaction);
            writes.schedule(List.of(timer("new").build()));
            return writes.settle(List.of(ended(ended, TimerState.REACHED), deleted(kept)));
        });

        assertThat(count).isEqualTo(2);
        assertThat(stored("ended").state()).isEqualTo(TimerState.REACHED);
        assertThat(store().find(kept.key())).isEmpty();
        assertThat(store().find(key("new"))).isPresent();
    }

    @Test
    void closingAgainDoesNothing() {
        OwnTransaction own = store().begin();
        own.writes().schedule(List.of(timer("a").build()));
        own.commit();
        own.close();
        own.close();

        assertThat(store().find(key("a"))).isPresent();
    }

    @Test
    void anEndedTransactionRefusesWrites() {
        OwnTransaction committed = store().begin();
        committed.commit();
        assertThatIllegalStateException().isThrownBy(committed::commit);
        assertThatIllegalStateException()
                .isThrownBy(() -> committed.writes().schedule(List.of(timer("a").build())));
        committed.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> committed.writes().schedule(List.of(timer("a").build())));

        OwnTransaction closed = store().begin();
        closed.close();
        assertThatIllegalStateException().isThrownBy(closed::commit);
        assertThatIllegalStateException().isThrownBy(() -> closed.writes().find(key("a")));
        assertThat(store().find(key("a"))).isEmpty();
    }
}
