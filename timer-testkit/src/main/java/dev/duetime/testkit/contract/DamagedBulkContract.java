package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerCount;
import dev.duetime.store.Revival;
import dev.duetime.store.TimerVersion;
import dev.duetime.testkit.fault.Damage;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The rule that rows which others wrote are counted and do not keep an operator from the other rows. Rows in an unknown
 * state are never changed.
 */
abstract class DamagedBulkContract extends ContractPart {

    DamagedBulkContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void anUnreadableRowIsCountedAndCanBeRevivedCancelledAndDeleted() {
        StoredTimer dead = unreadable("dead", TimerState.DEAD);
        StoredTimer scheduled = unreadable("scheduled", TimerState.SCHEDULED);
        StoredTimer reached = unreadable("reached", TimerState.REACHED);

        assertThat(count(TimerQuery.all().allowScan().tenantId(tenant)))
                .containsExactlyInAnyOrder(
                        new TimerCount(queue, TimerState.DEAD, 1),
                        new TimerCount(queue, TimerState.SCHEDULED, 1),
                        new TimerCount(queue, TimerState.REACHED, 1));
        assertThat(versions(TimerQuery.all().allowScan().tenantId(tenant), null))
                .containsExactly(version(dead), version(reached), version(scheduled));
        assertThat(store().admin().cancel(List.of(version(scheduled)), NOW)).isEqualTo(1);
        assertThat(store().admin().delete(List.of(version(reached)))).isEqualTo(1);
        assertThat(store().admin().revive(List.of(new Revival(dead.key(), dead.generation(), 77)), NOW))
                .isEqualTo(1);
        assertThat(stored("dead").state()).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void aRowInAnUnknownStateIsCountedAsDeadAndLeftAlone() {
        StoredTimer lost = given(timer("lost"));
        StoredTimer dead = given(timer("other"), TimerState.DEAD);
        damage(lost.key(), Damage.UNKNOWN_STATE);
        StoredTimer shown = stored("lost");
        TimerQuery deadOnes = TimerQuery.all().allowScan().tenantId(tenant).state(TimerState.DEAD);

        assertThat(count(TimerQuery.all().allowScan().tenantId(tenant)))
                .containsExactly(new TimerCount(queue, TimerState.DEAD, 2));
        assertThat(count(deadOnes)).containsExactly(new TimerCount(queue, TimerState.DEAD, 2));
        assertThat(versions(deadOnes, null)).containsExactly(version(dead));
        assertThat(versions(TimerQuery.all().allowScan().tenantId(tenant), null))
                .containsExactly(version(dead));
        assertThat(store().admin().revive(List.of(new Revival(lost.key(), lost.generation(), 77)), NOW))
                .isZero();
        assertThat(store().admin().cancel(List.of(version(lost)), NOW)).isZero();
        assertThat(store().admin().delete(List.of(version(lost)))).isZero();
        assertThat(stored("lost")).isEqualTo(shown);
    }

    @Test
    void rowsWithoutAValidKeyAreCountedAndShortenNoPage() {
        StoredTimer first = given(timer("a"), TimerState.DEAD);
        List.of("b", "c", "d")
                .forEach(id -> damage(given(timer(id), TimerState.DEAD).key(), Damage.INVALID_KEY));
        StoredTimer last = given(timer("z"), TimerState.DEAD);
        TimerQuery deadOnes = TimerQuery.all().allowScan().tenantId(tenant).state(TimerState.DEAD);

        assertThat(count(deadOnes)).containsExactly(new TimerCount(queue, TimerState.DEAD, 5));
        assertThat(versions(deadOnes.limit(2), null)).containsExactly(version(first), version(last));
        assertThat(versions(deadOnes.limit(1).after(first.key()), null)).containsExactly(version(last));
        assertThat(versions(deadOnes.limit(1).after(last.key()), null)).isEmpty();
    }

    private StoredTimer unreadable(String timerId, TimerState state) {
        StoredTimer sound = state == TimerState.SCHEDULED ? given(timer(timerId)) : given(timer(timerId), state);
        damage(sound.key(), Damage.UNREADABLE_CONTENT);
        return sound;
    }

    private List<TimerCount> count(TimerQuery query) {
        return store().admin().count(query);
    }

    private static TimerVersion version(StoredTimer timer) {
        TimerKey key = timer.key();
        return new TimerVersion(
                key, timer.generation(), timer.state(), timer.content().recurrence() != null);
    }
}
