package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.Correlated;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.TimerWrites;
import dev.duetime.testkit.fault.Damage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The rule that {@code Correlated} finds the todo with which a new one may be merged. */
abstract class CorrelatedContract extends ContractPart {

    CorrelatedContract(ScheduleStoreContract author) {
        super(author);
    }

    private Optional<StoredTimer> waiting() {
        return store().correlated().waiting(queue, tenant, "key", "test");
    }

    private TimerDraft todo(String timerId) {
        return timer(timerId).step("one").correlationKey("key");
    }

    @Test
    void anEmptyQueueHasNoWaitingTodo() {
        assertThat(waiting()).isEmpty();
    }

    @Test
    void theWaitingTodoIsFoundWithAllItsContent() {
        StoredTimer todo = given(full("a").type("test").step("one").correlationKey("key"));

        assertThat(waiting()).contains(todo);
        assertThat(waiting()).contains(todo);
    }

    @Test
    void todosOfOtherKeysAreNotFound() {
        given(todo("queue").queue(otherQueue));
        given(timer("none").step("one"));
        given(todo("key").correlationKey("KEY"));
        given(todo("longer").correlationKey("key "));
        given(todo("id").correlationKey(null).correlationId("key").parallelKey("key"));
        for (TimerState state : TERMINAL) {
            given(todo("a-" + state), state);
        }
        StoredTimer started = given(todo("started"));
        store().start(started.key(), started.generation(), NOW);
        StoredTimer cancelled = given(todo("cancelled"));
        store().cancel(cancelled.key(), NOW);
        StoredTimer deleted = given(todo("deleted"));
        store().settle(List.of(deleted(deleted)));
        assertThat(waiting()).isEmpty();

        StoredTimer todo = given(todo("a"));

        assertThat(waiting()).contains(todo);
    }

    @Test
    void aTodoOfAnotherTypeHidesNoOther() {
        StoredTimer todo = given(todo("a").dueAt(NOW.minus(TICK)));
        given(todo("later").type("other"));

        assertThat(waiting()).contains(todo);
    }

    @Test
    void theLatestIsFoundWhenceverItCame() {
        given(todo("c").dueAt(NOW.minus(TICK)));
        StoredTimer latest = given(todo("a"));
        given(todo("d").dueAt(NOW.minusSeconds(9)));
        assertThat(waiting()).contains(latest);

        StoredTimer later = given(todo("b").dueAt(NOW.plus(TICK)));
        assertThat(waiting()).contains(later);

        store().settle(List.of(advanced(later, todo("b").dueAt(NOW.minusSeconds(99)))));
        assertThat(waiting()).contains(latest);
    }

    @Test
    void aRetryDoesNotChangeWhichTodoIsTheLatest() {
        StoredTimer first = given(todo("a"));
        StoredTimer latest = given(todo("b").dueAt(NOW.plus(TICK)));
        store().settle(List.of(retried(first, NOW.plusSeconds(60))));

        assertThat(waiting()).contains(latest);
    }

    @Test
    void amongTodosDueTogetherTheGreatestKeyIsFound() {
        StoredTimer b = given(todo("b"));
        given(todo("B"));
        given(todo("a"));
        assertThat(waiting()).contains(b);

        StoredTimer longer = given(todo("b "));
        assertThat(waiting()).contains(longer);

        // Keys are in the order of code points, where this one is greater.
        StoredTimer beyond = given(todo("\uD83D\uDE00"));
        given(todo("\uFFFD"));
        assertThat(waiting()).contains(beyond);
    }

    @Test
    void todosOfAnotherTenantAreNotFound() {
        given(timer(TimerKey.of(otherTenant, "later"))
                .step("one")
                .correlationKey("key")
                .dueAt(NOW.plusSeconds(9)));
        assertThat(waiting()).isEmpty();

        StoredTimer todo = given(todo("a"));
        assertThat(waiting()).contains(todo);
        assertThat(store().correlated().waiting(queue, otherTenant, "key", "test"))
                .map(StoredTimer::key)
                .contains(TimerKey.of(otherTenant, "later"));
        assertThat(store().correlated().waiting(queue, tenant + " ", "key", "test"))
                .isEmpty();
    }

    @Test
    void aTransactionFindsNoTodoOfAnotherTenant() {
        try (OwnTransaction own = store().begin()) {
            TimerWrites writes = own.writes();
            writes.correlated().lock(queue, List.of("key"));
            var other = timer(TimerKey.of(otherTenant, "a"))
                    .step("one")
                    .correlationKey("key")
                    .build();
            writes.schedule(List.of(other));

            assertThat(writes.correlated().waiting(queue, tenant, "key", "test"))
                    .isEmpty();
            assertThat(writes.correlated().waiting(queue, otherTenant, "key", "test"))
                    .contains(accepted(other));
        }
    }

    @Test
    void unreadableRowsAreSkipped() {
        StoredTimer readable = given(todo("a"));
        for (int i = 0; i < 25; i++) {
            given(todo("broken-" + i).dueAt(NOW.plusSeconds(i)));
            damage(key("broken-" + i), Damage.UNREADABLE_CONTENT);
        }
        given(todo("lost").dueAt(NOW.plusSeconds(99)));
        damage(key("lost"), Damage.UNKNOWN_STATE);

        assertThat(waiting()).contains(readable);

        store().cancel(readable.key(), NOW);
        assertThat(waiting()).isEmpty();
    }

    @Test
    void aTransactionSeesItsOwnWrites() {
        try (OwnTransaction own = store().begin()) {
            TimerWrites writes = own.writes();
            Correlated correlated = writes.correlated();
            correlated.lock(queue, List.of("key"));
            assertThat(correlated.waiting(queue, tenant, "key", "test")).isEmpty();

            var first = todo("a").build();
            writes.schedule(List.of(first));
            assertThat(correlated.waiting(queue, tenant, "key", "test")).contains(accepted(first));

            var second = todo("b").build();
            writes.schedule(List.of(second));
            assertThat(correlated.waiting(queue, tenant, "key", "test")).contains(accepted(second));

            writes.settle(List.of(advanced(accepted(second), todo("b").dueAt(NOW.minus(TICK)))));
            assertThat(correlated.waiting(queue, tenant, "key", "test")).contains(accepted(first));

            writes.cancel(first.key(), NOW);
            writes.settle(List.of(deleted(writes.find(second.key()).orElseThrow())));
            assertThat(correlated.waiting(queue, tenant, "key", "test")).isEmpty();
        }
        assertThat(waiting()).isEmpty();
    }

    @Test
    void commitsOfOthersAreVisibleOnceTheKeyIsLocked() {
        StoredTimer todo = given(todo("a"));
        try (OwnTransaction own = store().begin()) {
            own.writes().correlated().lock(queue, List.of("key"));

            assertThat(own.writes().correlated().waiting(queue, tenant, "key", "test"))
                    .contains(todo);
            own.commit();
        }
    }

    @Test
    void aCallersTransactionLocksAndFindsToo() {
        StoredTimer todo = given(todo("a"));
        Optional<StoredTimer> found = inTransaction(true, transaction -> {
            Correlated correlated = store().in(transaction).correlated();
            correlated.lock(queue, List.of("key", "other"));
            Optional<StoredTimer> waiting = correlated.waiting(queue, tenant, "key", "test");
            assertThat(correlated.waiting(queue, tenant, "other", "test")).isEmpty();
            store().in(transaction).settle(List.of(advanced(todo, todo("a").step("two"))));
            return waiting;
        });

        assertThat(found).contains(todo);
        assertThat(stored("a").content().step()).isEqualTo("two");
    }

    @Test
    void keysMayBeLockedAgainInAnyOrderAndWithoutATransaction() {
        List<String> keys = List.of("c", "a", "b", "a", "Aa", "BB", "\uD83D\uDE00");
        store().correlated().lock(queue, keys);
        store().correlated().lock(queue, keys);
        try (OwnTransaction own = store().begin()) {
            Correlated correlated = own.writes().correlated();
            correlated.lock(queue, List.of());
            correlated.lock(queue, keys);
            correlated.lock(queue, List.of("a"));
            correlated.lock(otherQueue, keys);
            own.commit();
        }
        try (OwnTransaction own = store().begin()) {
            own.writes().correlated().lock(queue, keys);
        }
        store().correlated().lock(queue, keys);
    }
}
