package dev.duetime.specification.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of a host set that gets one host more, or one less. */
class HostsChangeTest extends OnHosts {
    @Test
    void anAddedHostGetsItsShareOfNewKeysOnly() {
        TimerKit before = kit(1, "a", "b");
        before.scheduler().scheduleAll(timers("old-", 300, LATER));
        before.close();

        TimerKit kit = kit(2, "a", "b", "+c");
        List<ScheduleResult> repeats = kit.scheduler().scheduleAll(timers("old-", 300, LATER));
        assertThat(count(repeats, ScheduleOutcome.UNCHANGED)).isEqualTo(300);
        assertThat(databases.database("c").query(TimerQuery.all())).isEmpty();
        List<ScheduleResult> moved = kit.scheduler().scheduleAll(timers("old-", 300, LATER.plus(LATER)));
        assertThat(count(moved, ScheduleOutcome.RESCHEDULED)).isEqualTo(300);
        List<ScheduleResult> fresh = kit.scheduler().scheduleAll(timers("new-", 300, LATER));
        assertThat(count(fresh, ScheduleOutcome.CREATED)).isEqualTo(300);
        assertThat(databases.database("c").query(TimerQuery.all().limit(1_000))).hasSizeBetween(70, 130);
        kit.advance(LATER.multipliedBy(3));

        assertOnce(kit, 600);
    }

    @Test
    void anAddedHostGetsNoEndedKeyOfAnotherHost() {
        TimerKit before = kit(1, "a", "b");
        before.scheduler().scheduleAll(timers("old-", 100, Duration.ofSeconds(1)));
        before.advance(LATER);
        before.close();

        List<ScheduleResult> repeats =
                kit(1, "a", "b", "+c").scheduler().scheduleAll(timers("old-", 100, Duration.ofSeconds(1)));

        assertThat(count(repeats, ScheduleOutcome.IGNORED)).isEqualTo(100);
    }

    @Test
    void anAddedHostTakesNoMovedKeysWhileTheirFormerHostIsAway() {
        TimerKit kit = kit(1, "a", "+c");
        List<String> moved = HostsKit.idsOn(hosts(kit), "c", 1);
        List<String> kept = HostsKit.idsOn(hosts(kit), "a", 1);
        databases.down("c");
        assertThat(kit.scheduler()
                        .schedule(TimerKey.of(kept.get(0)), LATER, null)
                        .outcome())
                .isEqualTo(ScheduleOutcome.CREATED);
        databases.up("c");
        databases.down("a");
        assertThatThrownBy(() -> kit.scheduler().schedule(TimerKey.of(moved.get(0)), LATER, null))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("host a");
    }

    @Test
    void aDrainingHostGetsNothingNewAndIsEmptied() {
        TimerKit before = kit(1, "a", "b");
        before.scheduler().scheduleAll(timers("old-", 100, LATER));
        before.close();
        int onB = databases.database("b").query(TimerQuery.all().limit(1_000)).size();
        assertThat(onB).isBetween(30, 70);

        TimerKit kit = kit(1, "a", "-b");
        String one =
                databases.database("b").query(TimerQuery.all()).get(0).key().timerId();
        kit.scheduler().scheduleAll(timers("new-", 100, LATER));
        assertThat(count(kit.scheduler().scheduleAll(timers("old-", 100, LATER)), ScheduleOutcome.UNCHANGED))
                .isEqualTo(100);
        assertThat(kit.scheduler().find(TimerKey.of(one))).isPresent();
        assertThat(kit.scheduler().cancel(TimerKey.of(one))).isEqualTo(CancelResult.CANCELLED);
        assertThat(databases.database("b").query(TimerQuery.all().limit(1_000))).hasSize(onB);
        kit.advance(LATER);

        assertOnce(kit, 199);
    }
}
