package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.DueTimers;
import dev.duetime.testkit.fault.Damage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that due rows which others wrote are reported separately, and hide no other row. */
abstract class DamagedDueContract extends ContractPart {
    private static final int MANY = 60;

    DamagedDueContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void anUnreadableRowIsReportedSeparately() {
        StoredTimer broken = given(timer("broken")
                .payload("\"secret\"")
                .headers(Map.of("h", "secret"))
                .dueAt(NOW.minusSeconds(1)));
        given(timer("sound"));
        damage(broken.key(), Damage.UNREADABLE_CONTENT);

        DueTimers due = due(NOW, List.of(0), 10);

        assertThat(due.timers()).extracting(StoredTimer::key).containsExactly(key("sound"));
        assertThat(due.more()).isFalse();
        assertThat(due.undecodable()).singleElement().satisfies(row -> {
            assertThat(row.key()).isEqualTo(broken.key());
            assertThat(row.generation()).isEqualTo(broken.generation());
            assertThat(row.attempt()).isZero();
            assertThat(row.reason()).isNotBlank().doesNotContain("secret");
        });
        assertThat(nextDue(List.of(0, 1))).contains(NOW.minusSeconds(1));
    }

    @Test
    void anUnreadableRowEndsAsDeadAndIsNoLongerDue() {
        StoredTimer broken = given(timer("broken"));
        given(timer("later").dueAt(NOW.plusSeconds(5)));
        damage(broken.key(), Damage.UNREADABLE_CONTENT);

        assertThat(store().settle(List.of(ended(broken, TimerState.DEAD)))).isEqualTo(1);

        assertThat(due(NOW, List.of(0), 10)).isEqualTo(new DueTimers(List.of(), false));
        assertThat(nextDue(List.of(0, 1))).contains(NOW.plusSeconds(5));
        assertThat(stored("broken").state()).isEqualTo(TimerState.DEAD);
        assertThat(store().purge(queue, Instant.MAX, 10)).isZero();
    }

    @Test
    void unreadableRowsCountForTheLimitAndNothingIsSkipped() {
        many(Damage.UNREADABLE_CONTENT, false);

        DueTimers some = due(NOW, List.of(0, 1), 10);
        assertThat(some.timers()).isEmpty();
        assertThat(some.undecodable()).hasSize(10);
        assertThat(some.more()).isTrue();

        hidesNoTimer(MANY);
    }

    @Test
    void anEndedRowWithAWakeTimeIsNeitherDueNorNext() {
        StoredTimer ended = given(timer("ended").dueAt(NOW.minusSeconds(9)), TimerState.REACHED);
        given(timer("sound"));
        damage(ended.key(), Damage.AWAKE_THOUGH_ENDED);
        assertThat(stored("ended").wakeAt()).isEqualTo(NOW.minusSeconds(9));

        assertThat(due(NOW, List.of(0), 10)).isEqualTo(new DueTimers(List.of(stored("sound")), false));
        assertThat(nextDue(List.of(0, 1))).contains(NOW);
    }

    @Test
    void aRowInAnUnknownStateIsNeitherDueNorNext() {
        given(timer("lost").dueAt(NOW.minusSeconds(9)));
        given(timer("sound"));
        damage(key("lost"), Damage.UNKNOWN_STATE);

        assertThat(due(NOW, List.of(0), 10)).isEqualTo(new DueTimers(List.of(stored("sound")), false));
        assertThat(nextDue(List.of(0, 1))).contains(NOW);
    }

    @Test
    void manyEndedRowsHideNoDueTimer() {
        many(Damage.AWAKE_THOUGH_ENDED, true);

        hidesNoTimer(0);
    }

    @Test
    void manyRowsInUnknownStatesHideNoDueTimer() {
        many(Damage.UNKNOWN_STATE, false);

        hidesNoTimer(0);
    }

    @Test
    void aRowWithAnInvalidKeyIsReportedWithItsNameEscaped() {
        StoredTimer broken = given(timer("broken").dueAt(NOW.minusSeconds(1)));
        given(timer("sound"));
        damage(broken.key(), Damage.INVALID_KEY);

        DueTimers due = due(NOW, List.of(0), 10);

        assertThat(due.timers()).extracting(StoredTimer::key).containsExactly(key("sound"));
        assertThat(due.more()).isFalse();
        assertThat(due.undecodable()).singleElement().satisfies(row -> {
            assertThat(row.key()).isNull();
            assertThat(row.generation()).isEqualTo(broken.generation());
            assertThat(row.reason()).contains(tenant, "broken\\u000a").doesNotContain("\n");
        });
    }

    @Test
    void manyRowsWithoutAValidKeyHideNoDueTimer() {
        many(Damage.INVALID_KEY, false);

        hidesNoTimer(MANY);
    }

    /** Stores damaged rows, all but the last in shard 0, before three sound ones. */
    private void many(Damage damage, boolean reached) {
        for (int i = 0; i < MANY; i++) {
            TimerDraft draft = timer("broken" + i).shard(i == MANY - 1 ? 1 : 0).dueAt(NOW.minusSeconds(MANY - i));
            StoredTimer row = reached ? given(draft, TimerState.REACHED) : given(draft);
            damage(row.key(), damage);
        }
        IntStream.range(0, 3).forEach(i -> given(timer("sound" + i).shard(i % 2)));
    }

    /**
     * Reads as the engine does: each read takes as many more rows as the read before found unreadable, until there are
     * no more.
     */
    private void hidesNoTimer(int undecodable) {
        List<TimerKey> found = new ArrayList<>();
        DueTimers due = due(NOW, List.of(0, 1), 2);
        for (int reads = 1; due.more(); reads++) {
            assertThat(reads).as("reads without an end").isLessThan(MANY);
            due.timers().forEach(timer -> found.add(timer.key()));
            store().settle(due.timers().stream()
                    .map(timer -> ended(timer, TimerState.REACHED))
                    .toList());
            due = due(NOW, List.of(0, 1), 2 + due.undecodable().size());
        }
        due.timers().forEach(timer -> found.add(timer.key()));
        assertThat(found).containsExactlyInAnyOrder(key("sound0"), key("sound1"), key("sound2"));
        assertThat(due.undecodable()).hasSize(undecodable);
        assertThat(new HashSet<>(due.undecodable())).hasSize(undecodable);
    }
}
