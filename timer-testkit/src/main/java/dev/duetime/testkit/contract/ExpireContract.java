package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.testkit.fault.Damage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of stores that can end due timers whose deadline has passed without reading them. */
abstract class ExpireContract extends ContractPart {
    private static final String RECURRENCE = "FREQ=DAILY";
    private final boolean supported;

    ExpireContract(ScheduleStoreContract author) {
        super(author);
        supported = author.expiresUnread();
    }

    @Test
    void aStoreWithoutSupportExpiresNothing() {
        assumeFalse(supported);
        StoredTimer timer = given(expired("a"));
        assertThat(expire(0, NOW)).isEmpty();
        assertThat(stored("a")).isEqualTo(timer);
    }

    @Test
    void unreadableRowsAreNotExpired() {
        assumeTrue(supported);
        given(expired("a"));
        damage(key("a"), Damage.UNREADABLE_CONTENT);
        assertThat(expire(0, NOW)).isEmpty();
        assertThat(stored("a").state()).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void rowsWithoutAValidKeyAreNotExpired() {
        assumeTrue(supported);
        given(expired("a"));
        damage(key("a"), Damage.INVALID_KEY);
        assertThat(expire(0, NOW)).isEmpty();
    }

    @Test
    void aKeptTimerEndsNowAsExpiredWithItsAttemptsAndFailure() {
        assumeTrue(supported);
        StoredTimer timer = given(full("a").headers(Map.of()).shard(3).expiresAt(NOW.plusSeconds(1)));
        store().settle(List.of(retried(timer, NOW.plusSeconds(2))));
        StoredTimer before = stored("a");
        Instant now = NOW.plusSeconds(3);
        assertThat(expire(3, now)).containsExactly(Map.entry("payment-timeout", 1));
        assertThat(stored("a"))
                .isEqualTo(new StoredTimer(
                        before.key(),
                        3,
                        before.content(),
                        TimerState.EXPIRED,
                        before.generation(),
                        1,
                        null,
                        before.registeredAt(),
                        now,
                        before.previousAt(),
                        before.failure()));
        assertThat(dueKeys(now, 3)).isEmpty();
        assertThat(store().purge(queue, now.plus(TICK), 10)).isEqualTo(1);
    }

    @Test
    void anExpiredTimerIsDeletedIfItIsNotKept() {
        assumeTrue(supported);
        given(expired("a"));
        assertThat(store().expire(queue, 0, NOW, false, 100)).containsExactly(Map.entry("test", 1));
        assertThat(store().find(key("a"))).isEmpty();
    }

    @Test
    void expiredTimersAreCountedByType() {
        assumeTrue(supported);
        for (int i = 0; i < 5; i++) {
            given(expired("a" + i).type(i < 2 ? "few" : "many"));
        }
        assertThat(expire(0, NOW)).containsOnly(Map.entry("few", 2), Map.entry("many", 3));
        assertThat(expire(0, NOW)).isEmpty();
    }

    @Test
    void aTimerIsExpiredOnlyAfterItsDeadlineAndOnceItIsDue() {
        assumeTrue(supported);
        given(timer("at").dueAt(NOW.minusSeconds(9)).expiresAt(NOW));
        given(timer("none").dueAt(NOW.minusSeconds(9)));
        StoredTimer later = given(timer("retried").dueAt(NOW.minusSeconds(9)).expiresAt(NOW.minusSeconds(5)));
        store().settle(List.of(retried(later, NOW.plus(TICK))));
        assertThat(expire(0, NOW)).isEmpty();
        assertThat(expire(0, NOW.plus(TICK))).containsExactly(Map.entry("test", 2));
        assertThat(dueKeys(NOW.plusSeconds(9), 0)).containsExactly(key("none"));
    }

    @Test
    void recurringTimersAreNotExpired() {
        assumeTrue(supported);
        given(expired("a").recurrence(RECURRENCE));
        assertThat(expire(0, NOW)).isEmpty();
        assertThat(stored("a").state()).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void timersOfOtherQueuesAndShardsAreNotExpired() {
        assumeTrue(supported);
        given(expired("queue").queue(otherQueue));
        given(expired("shard").shard(1));
        assertThat(expire(0, NOW)).isEmpty();
        assertThat(stored("queue").state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(stored("shard").state()).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void endedTimersAreNotExpired() {
        assumeTrue(supported);
        for (TimerState state : TERMINAL) {
            given(expired(state.name()), state);
        }
        assertThat(expire(0, NOW)).isEmpty();
        assertThat(TERMINAL)
                .allSatisfy(state -> assertThat(stored(state.name()).state()).isEqualTo(state));
    }

    @Test
    void noMoreDueTimersThanTheLimitAreCheckedTheOldestFirst() {
        assumeTrue(supported);
        given(timer("valid").dueAt(NOW.minusSeconds(100)));
        for (int i = 0; i < 5; i++) {
            given(expired("a" + i).dueAt(NOW.minusSeconds(99 - i)));
        }
        assertThat(store().expire(queue, 0, NOW, true, 3)).containsExactly(Map.entry("test", 2));
        assertThat(dueKeys(NOW, 0)).containsExactly(key("valid"), key("a2"), key("a3"), key("a4"));
    }

    private Map<String, Integer> expire(int shard, Instant now) {
        return store().expire(queue, shard, now, true, 100);
    }

    private TimerDraft expired(String timerId) {
        return timer(timerId).dueAt(NOW.minusSeconds(9)).expiresAt(NOW.minus(TICK));
    }
}
