package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.TimerWrites;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The rule that items of to-do lists are written and read inside the caller's transaction, as timers are. */
abstract class TodoTransactionContract extends ContractPart {
    private final String list = unique("l");
    private final ListItem a = item("a", NOW);
    private final ListItem b = item("b", NOW);

    TodoTransactionContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aCommitMakesItemsPermanentTogetherWithTimers() {
        NewTimer timer = timer("timer").build();

        inTransaction(true, transaction -> {
            TimerWrites writes = store().in(transaction);
            writes.todos().put(List.of(a));
            return writes.schedule(List.of(timer));
        });

        assertThat(overdue()).containsExactly(a);
        assertThat(store().find(timer.key())).isPresent();
    }

    @Test
    void aRollbackLeavesItemsAsTheyWere() {
        store().todos().put(List.of(a, b));

        run(false, todos -> {
            todos.put(List.of(item("c", NOW), item("a", NOW.plus(TICK))));
            assertThat(todos.remove(List.of(b.key()))).isEqualTo(1);
        });

        assertThat(overdue()).containsExactly(a, b);
        run(false, todos -> assertThat(todos.removeUnmoved(List.of(a, b))).isEqualTo(2));
        assertThat(overdue()).containsExactly(a, b);
    }

    @Test
    void nothingIsVisibleOutsideBeforeTheCommit() {
        store().todos().put(List.of(a, b));

        run(true, todos -> {
            todos.put(List.of(item("c", NOW), item("a", NOW.plus(TICK))));
            todos.remove(List.of(b.key()));

            assertThat(overdue()).containsExactly(a, b);
            assertThat(store().todos().find(b.key())).contains(b);
        });

        assertThat(overdue()).containsExactly(item("c", NOW), item("a", NOW.plus(TICK)));
    }

    @Test
    void theTransactionSeesItsOwnWritesAndWhatWasCommittedBefore() {
        store().todos().put(List.of(a, b, new ListItem(new ListKey(unique("l"), "x"), NOW)));

        run(false, todos -> {
            assertThat(todos.overdue(list, NOW, null, 10)).containsExactly(a, b);
            todos.put(List.of(item("c", NOW.minus(TICK)), new ListItem(new ListKey(unique("l"), "y"), NOW)));
            todos.remove(List.of(a.key()));
            assertThat(todos.overdue(list, NOW, null, 10)).containsExactly(item("c", NOW.minus(TICK)), b);
            assertThat(todos.find(a.key())).isEmpty();
            assertThat(todos.remove(List.of(a.key()))).isZero();
        });
    }

    @Test
    void anItemMayBePutRemovedAndPutAgainInOneTransaction() {
        run(true, todos -> {
            todos.put(List.of(a));
            todos.remove(List.of(a.key()));
            todos.put(List.of(item("a", NOW.plus(TICK))));
            assertThat(todos.removeUnmoved(List.of(a))).isZero();
        });

        assertThat(overdue()).containsExactly(item("a", NOW.plus(TICK)));
    }

    private void run(boolean commit, Consumer<ListStore> work) {
        inTransaction(commit, transaction -> {
            work.accept(store().in(transaction).todos());
            return true;
        });
    }

    private ListItem item(String id, Instant overdueAt) {
        return new ListItem(new ListKey(list, id), overdueAt);
    }

    private List<ListItem> overdue() {
        return store().todos().overdue(list, Instant.MAX, null, 100);
    }
}
