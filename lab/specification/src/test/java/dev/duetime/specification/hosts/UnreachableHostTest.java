package dev.duetime.specification.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of a scheduler on two databases, one of which cannot be reached. */
class UnreachableHostTest extends OnHosts {
    private final TimerKit kit = kit(2, "a", "b");
    private final List<String> onA = HostsKit.idsOn(hosts(kit), "a", 20);
    private final List<String> onB = HostsKit.idsOn(hosts(kit), "b", 20);

    private void schedule(String id, Duration delay) {
        kit.scheduler().schedule(TimerKey.of(id), delay, null);
    }

    @Test
    void delaysItsOwnTimersOnlyAndLosesNone() {
        onA.subList(0, 10).forEach(id -> schedule(id, Duration.ofMinutes(5)));
        onB.subList(0, 10).forEach(id -> schedule(id, Duration.ofMinutes(5)));
        databases.down("b");
        onA.subList(10, 20).forEach(id -> schedule(id, Duration.ofMinutes(5)));
        assertThatThrownBy(() -> schedule(onB.get(10), LATER))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("host b");
        kit.advance(Duration.ofMinutes(10));

        assertOnce(kit, 20);
        assertThat(kit.delivered())
                .allMatch(each -> each.event().reachedAt().equals(each.event().dueAt()));
        databases.up("b");
        kit.advance(Duration.ofSeconds(15));
        assertOnce(kit, 30);
        schedule(onB.get(10), Duration.ofSeconds(1));
        kit.advance(Duration.ofSeconds(1));
        assertOnce(kit, 31);
    }

    @Test
    void isNamedWhereAKeyMayLieThere() {
        schedule(onA.get(0), LATER);
        databases.down("b");

        assertThat(kit.scheduler().find(TimerKey.of(onA.get(0)))).isPresent();
        assertThat(kit.scheduler().cancel(TimerKey.of(onA.get(0)))).isEqualTo(CancelResult.CANCELLED);
        assertThatThrownBy(() -> kit.scheduler().find(TimerKey.of(onA.get(1))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("host b");
        assertThatThrownBy(() -> kit.scheduler().cancel(TimerKey.of(onB.get(1))))
                .hasMessageContaining("host b");
    }

    @Test
    void isReportedOnlyByHealth() {
        assertThat(kit.scheduler().admin().health().isHealthy()).isTrue();
        databases.down("b");
        kit.advance(Duration.ofMinutes(2));

        assertThat(kit.scheduler().admin().health().isHealthy()).isFalse();
        assertThat(String.valueOf(kit.scheduler().admin().health().leaseOutage()))
                .contains("host b: ");
        databases.up("b");
        kit.advance(Duration.ofSeconds(15));
        assertThat(kit.scheduler().admin().health().isHealthy()).isTrue();
    }

    @Test
    void leavesNothingOfACallThatConcernsOthersToo() {
        List<Timer> both = List.of(
                Timer.after(onA.get(0), LATER).build(),
                Timer.after(onB.get(0), LATER).build());
        databases.fail("b", StoreCall.SCHEDULE);

        assertThatThrownBy(() -> kit.scheduler().scheduleAll(both)).hasMessageContaining("host b");
        assertThat(databases.has("a", onA.get(0))).isFalse();
        assertThat(count(kit.scheduler().scheduleAll(both), ScheduleOutcome.CREATED))
                .isEqualTo(2);
    }

    @Test
    void betweenTwoCommitsStoresAPartAndAllowsARepeat() {
        List<Timer> both = List.of(
                Timer.at(onB.get(0), TestClock.START.plus(LATER)).build(),
                Timer.at(onA.get(0), TestClock.START.plus(LATER)).build());
        databases.fail("b", StoreCall.COMMIT);

        assertThatThrownBy(() -> kit.scheduler().scheduleAll(both))
                .hasMessageContaining("commit on host b after it was committed on [a]");
        assertThat(databases.has("a", onA.get(0))).isTrue();
        assertThat(kit.scheduler().scheduleAll(both))
                .extracting(ScheduleResult::outcome)
                .containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.UNCHANGED);
    }
}
