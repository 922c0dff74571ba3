package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.Settlement.Ended;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The rule that a purge deletes reached, expired and cancelled timers with {@code settledAt < before}, but never dead
 * ones.
 */
abstract class PurgeContract extends ContractPart {
    private static final Instant LONG_AFTER = NOW.plus(Duration.ofDays(4_000));

    PurgeContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void nothingIsPurgedFromAnEmptyQueue() {
        given(timer("a").queue(otherQueue), TimerState.REACHED);

        assertThat(store().purge(queue, LONG_AFTER, 100)).isZero();
    }

    @Test
    void reachedExpiredAndCancelledTimersArePurgedButNeitherDeadNorScheduledOnes() {
        TERMINAL.forEach(state -> given(timer(state.name()), state));
        StoredTimer scheduled = given(timer("a").dueAt(NOW.minus(Duration.ofDays(4_000))));
        StoredTimer retried = given(timer("b"));
        store().settle(List.of(retried(retried, NOW)));

        assertThat(store().purge(queue, LONG_AFTER, 100)).isEqualTo(3);

        assertThat(store().query(TimerQuery.all().allowScan().tenantId(tenant)))
                .containsExactly(stored(TimerState.DEAD.name()), scheduled, stored("b"));
    }

    @Test
    void onlyTimersThatEndedBeforeTheGivenTimeArePurged() {
        ended("before", NOW.minus(TICK));
        ended("at", NOW);
        ended("after", NOW.plus(TICK));

        assertThat(store().purge(queue, NOW, 100)).isEqualTo(1);

        assertThat(store().find(key("before"))).isEmpty();
        assertThat(store().find(key("at"))).isPresent();
        assertThat(store().find(key("after"))).isPresent();
    }

    @Test
    void theEndOfATimerDecidesNotItsDueTimeOrSchedule() {
        StoredTimer timer = given(timer("a").dueAt(NOW.minusSeconds(99)).registeredAt(NOW.minusSeconds(999)));
        store().settle(List.of(new Ended(timer.key(), timer.generation(), TimerState.REACHED, NOW, 1, null)));

        assertThat(store().purge(queue, NOW, 100)).isZero();
        assertThat(store().purge(queue, NOW.plus(TICK), 100)).isEqualTo(1);
    }

    @Test
    void aCancelledTimerIsPurgedByTheTimeOfItsCancel() {
        given(timer("a"));
        store().cancel(key("a"), NOW);

        assertThat(store().purge(queue, NOW, 100)).isZero();
        assertThat(store().purge(queue, NOW.plus(TICK), 100)).isEqualTo(1);
        assertThat(store().find(key("a"))).isEmpty();
    }

    @Test
    void onlyTheGivenQueueIsPurged() {
        given(timer("a"), TimerState.REACHED);
        StoredTimer other = given(timer("b").queue(otherQueue), TimerState.REACHED);

        assertThat(store().purge(queue, LONG_AFTER, 100)).isEqualTo(1);

        assertThat(store().find(key("a"))).isEmpty();
        assertThat(stored("b")).isEqualTo(other);
    }

    @Test
    void allShardsAndTenantsOfTheQueueArePurged() {
        given(timer("a").shard(5), TimerState.REACHED);
        given(timer(TimerKey.of(otherTenant, "b")).shard(6), TimerState.EXPIRED);

        assertThat(store().purge(queue, LONG_AFTER, 100)).isEqualTo(2);
    }

    @Test
    void noMoreThanTheLimitArePurgedAtOnceAndAllInTheEnd() {
        for (int i = 0; i < 25; i++) {
            given(timer("a" + i).shard(i % 3), TimerState.REACHED);
        }
        given(timer("dead"), TimerState.DEAD);

        assertThat(store().purge(queue, LONG_AFTER, 10)).isEqualTo(10);
        assertThat(store().query(TimerQuery.all().allowScan().tenantId(tenant))).hasSize(16);
        assertThat(store().purge(queue, LONG_AFTER, 10)).isEqualTo(10);
        assertThat(store().purge(queue, LONG_AFTER, 10)).isEqualTo(5);
        assertThat(store().purge(queue, LONG_AFTER, 10)).isZero();
        assertThat(store().query(TimerQuery.all().allowScan().tenantId(tenant))).hasSize(1);
    }

    @Test
    void aPurgedKeyIsCreatedAgain() {
        given(timer("a"), TimerState.REACHED);
        store().purge(queue, LONG_AFTER, 100);

        assertThat(schedule(timer("a")).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(store().purge(queue, LONG_AFTER, 100)).isZero();
    }

    @Test
    void aTimerThatWasScheduledAgainIsNotPurged() {
        given(timer("rearmed"), TimerState.REACHED);
        given(timer("again"), TimerState.CANCELLED);
        given(timer("rearmed").rearm());
        given(timer("again"));

        assertThat(store().purge(queue, LONG_AFTER, 100)).isZero();
        assertThat(dueKeys(NOW, 0)).containsExactlyInAnyOrder(key("rearmed"), key("again"));
    }

    private void ended(String timerId, Instant at) {
        StoredTimer timer = given(timer(timerId));
        store().settle(List.of(new Ended(timer.key(), timer.generation(), TimerState.REACHED, at, 1, null)));
    }
}
