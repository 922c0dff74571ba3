package dev.duetime.testkit.contract;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.Payload;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.testkit.fault.Damage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The rule that rows which others wrote are shown as far as they can be read, and can be cancelled and scheduled anew.
 */
abstract class DamagedContract extends ContractPart {

    DamagedContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void anUnreadableRowIsShownWithoutPayloadAndHeadersAndSaysSo() {
        StoredTimer sound = unreadable("a", TimerState.SCHEDULED);

        StoredTimer shown = stored("a");

        Failure failure = Objects.requireNonNull(shown.failure());
        assertThat(failure.error()).startsWith("cannot be read: ").doesNotContain("secret");
        assertThat(shown).isEqualTo(sound.unreadable(failure.error().substring("cannot be read: ".length())));
        assertThat(shown.content().payload()).isEqualTo(Payload.NONE);
        assertThat(shown.content().headers()).isEmpty();
    }

    @Test
    void anUnreadableRowIsShownAmongTheOthers() {
        given(timer("a"));
        unreadable("b", TimerState.SCHEDULED);
        unreadable("c", TimerState.REACHED);
        given(timer("d"));

        List<StoredTimer> all = store().query(TimerQuery.all().allowScan().tenantId(tenant));

        assertThat(all).containsExactly(stored("a"), stored("b"), stored("c"), stored("d"));
        assertThat(all)
                .extracting(StoredTimer::state)
                .containsExactly(TimerState.SCHEDULED, TimerState.SCHEDULED, TimerState.REACHED, TimerState.SCHEDULED);
    }

    @Test
    void schedulingAnUnreadableScheduledRowReschedulesIt() {
        unreadable("a", TimerState.SCHEDULED);
        TimerDraft draft = timer("a").payload("\"new\"");

        assertThat(schedule(draft)).hasOutcome(ScheduleOutcome.RESCHEDULED);
        assertThat(stored("a").failure()).isNull();
        assertThat(stored("a").content().payload().size()).isEqualTo(5);
        assertThat(schedule(draft)).hasOutcome(ScheduleOutcome.UNCHANGED);
    }

    @Test
    void anUnreadableRowStaysUnreadableWhenAnOutcomeMovesIt() {
        StoredTimer todo = given(timer("a").step("one").headers(Map.of("h", "secret")));
        StoredTimer recurring = given(timer("b").recurrence("every PT5S").headers(Map.of("h", "secret")));
        damage(key("a"), Damage.UNREADABLE_CONTENT);
        damage(key("b"), Damage.UNREADABLE_CONTENT);

        assertThat(store().settle(List.of(
                        advanced(todo, timer("a").step("two").payload("\"new\"")), moved(recurring, NOW))))
                .isEqualTo(2);

        for (String id : List.of("a", "b")) {
            assertThat(Objects.requireNonNull(stored(id).failure()).error()).startsWith("cannot be read: ");
            assertThat(stored(id).content().payload()).isEqualTo(Payload.NONE);
        }
        assertThat(stored("a").content().step()).isEqualTo("two");
        assertThat(dueKeys(NOW, 0)).isEmpty();
        assertThat(due(NOW, List.of(0), 10).undecodable()).hasSize(2);
    }

    @Test
    void aScheduleNeverEqualsAnUnreadableRow() {
        given(timer("a"));
        damage(key("a"), Damage.UNREADABLE_CONTENT);

        ScheduleResult result = schedule(timer("a"));

        assertThat(result).hasOutcome(ScheduleOutcome.RESCHEDULED);
        assertThat(stored("a").generation()).isEqualTo(result.generation());
        assertThat(stored("a").failure()).isNull();
    }

    @Test
    void aTransactionMayScheduleAndCancelUnreadableRows() {
        unreadable("a", TimerState.SCHEDULED);
        unreadable("b", TimerState.SCHEDULED);

        List<Object> results = inTransaction(true, transaction -> {
            List<Object> done = new ArrayList<>();
            store().in(transaction).schedule(List.of(timer("a").build())).forEach(each -> done.add(each.outcome()));
            done.add(store().in(transaction).cancel(key("b"), NOW));
            done.add(store().in(transaction).find(key("b")).orElseThrow().state());
            return done;
        });

        assertThat(results).containsExactly(ScheduleOutcome.RESCHEDULED, CancelResult.CANCELLED, TimerState.CANCELLED);
    }

    @Test
    void anEndedUnreadableRowAnswersByItsState() {
        unreadable("reached", TimerState.REACHED);
        unreadable("cancelled", TimerState.CANCELLED);

        assertThat(schedule(timer("reached")))
                .hasOutcome(ScheduleOutcome.IGNORED)
                .hasState(TimerState.REACHED);
        assertThat(schedule(timer("reached").rearm())).hasOutcome(ScheduleOutcome.CREATED);
        assertThat(schedule(timer("cancelled"))).hasOutcome(ScheduleOutcome.CREATED);
        assertThat(stored("reached").failure()).isNull();
    }

    @Test
    void anUnreadableRowCanBeCancelled() {
        unreadable("a", TimerState.SCHEDULED);

        assertThat(store().cancel(key("a"), NOW)).isEqualTo(CancelResult.CANCELLED);
        assertThat(store().cancel(key("a"), NOW)).isEqualTo(CancelResult.TOO_LATE);
        assertThat(stored("a").state()).isEqualTo(TimerState.CANCELLED);
        assertThat(stored("a").settledAt()).isEqualTo(NOW);
    }

    @Test
    void aRowInAnUnknownStateIsShownAsDeadAndNamesTheState() {
        given(timer("a"));
        given(timer("dead"), TimerState.DEAD);
        given(timer("lost"));
        damage(key("lost"), Damage.UNKNOWN_STATE);

        StoredTimer shown = stored("lost");

        assertThat(shown.state()).isEqualTo(TimerState.DEAD);
        assertThat(Objects.requireNonNull(shown.failure()).error())
                .startsWith("cannot be read: ")
                .contains("LOST");
        assertThat(store().query(TimerQuery.all().allowScan().tenantId(tenant).state(TimerState.DEAD)))
                .containsExactly(stored("dead"), shown);
        for (TimerState other : List.of(TimerState.SCHEDULED, TimerState.REACHED, TimerState.CANCELLED)) {
            assertThat(store().query(TimerQuery.all()
                            .allowScan()
                            .tenantId(tenant)
                            .state(other)))
                    .doesNotContain(shown);
        }
    }

    @Test
    void aRowInAnUnknownStateAnswersAsADeadOne() {
        given(timer("a"));
        damage(key("a"), Damage.UNKNOWN_STATE);

        assertThat(schedule(timer("a").payload("1")))
                .hasOutcome(ScheduleOutcome.IGNORED)
                .hasState(TimerState.DEAD);
        assertThat(store().cancel(key("a"), NOW)).isEqualTo(CancelResult.TOO_LATE);
        assertThat(store().purge(queue, NOW.plusSeconds(99), 10)).isZero();
        assertThat(store().settle(List.of(ended(stored("a"), TimerState.REACHED))))
                .isZero();
        assertThat(schedule(timer("a").payload("1").rearm())).hasOutcome(ScheduleOutcome.CREATED);
        assertThat(stored("a").state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(dueKeys(NOW, 0)).containsExactly(key("a"));
    }

    @Test
    void pagesSkipRowsWithoutAValidKey() {
        IntStream.range(10, 40).forEach(i -> given(timer("t" + i)));
        IntStream.range(12, 37).forEach(i -> damage(key("t" + i), Damage.INVALID_KEY));
        List<TimerKey> found = new ArrayList<>();
        List<StoredTimer> page;
        TimerQuery next = TimerQuery.all().allowScan().tenantId(tenant).limit(2);
        do {
            page = store().query(next);
            page.forEach(timer -> found.add(timer.key()));
            next = page.isEmpty() ? next : next.after(page.get(page.size() - 1).key());
        } while (page.size() == 2);

        assertThat(found).containsExactly(key("t10"), key("t11"), key("t37"), key("t38"), key("t39"));
    }

    /** Stores a timer in the state, makes it unreadable, and returns its row as it was before. */
    private StoredTimer unreadable(String id, TimerState state) {
        TimerDraft draft = timer(id).payload("\"secret\"").headers(Map.of("h", "secret"));
        StoredTimer sound = state == TimerState.SCHEDULED ? given(draft) : given(draft, state);
        damage(sound.key(), Damage.UNREADABLE_CONTENT);
        return sound;
    }
}
