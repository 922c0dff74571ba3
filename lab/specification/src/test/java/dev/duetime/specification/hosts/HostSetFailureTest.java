package dev.duetime.specification.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.hosts.HostSet;
import dev.duetime.listener.NodeListener;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.store.OwnTransaction;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of calls that affect several hosts when one of them fails. */
class HostSetFailureTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration LATER = Duration.ofMinutes(6);

    private final HostsKit databases = new HostsKit();
    private final HostSet hosts = databases.hosts("a", "b");
    private final String onA = HostsKit.idsOn(hosts, "a", 1).get(0);
    private final String onB = HostsKit.idsOn(hosts, "b", 1).get(0);
    private final String keyOfA = HostsKit.keysOn(hosts, "a", 1).get(0);
    private final String keyOfB = HostsKit.keysOn(hosts, "b", 1).get(0);

    private TimerKit kit() {
        TimerKit kit = HostsKit.kit(hosts, 1, settings -> {});
        kit.advance(Duration.ofSeconds(30));
        return kit;
    }

    private List<Timer> both(Duration delay) {
        return List.of(Timer.after(onA, delay).build(), Timer.after(onB, delay).build());
    }

    @Test
    void nothingIsWrittenOnAHostWhileAnotherOneIsAway() {
        TimerKit kit = kit();
        databases.fail("b", StoreCall.BEGIN);
        assertThatThrownBy(() -> kit.scheduler().scheduleAll(both(LATER)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("host b");

        assertThat(databases.calls("a", StoreCall.SCHEDULE)).isZero();
    }

    @Test
    void aTimerCommittedBeforeAFailureIsDeliveredOnTime() {
        TimerKit kit = kit();
        databases.fail("b", StoreCall.COMMIT);
        assertThatThrownBy(() -> kit.scheduler().scheduleAll(both(Duration.ZERO)))
                .hasMessageContaining("after it was committed on [a]");
        kit.runDue();

        assertThat(kit.delivered())
                .extracting(each -> each.event().key().timerId())
                .containsExactly(onA);
    }

    @Test
    void aCollisionOnTheFirstHostRepeatsAllParts() {
        TimerKit kit = kit();
        databases.collide("a", StoreCall.COMMIT);
        assertBothAreStored(kit);

        assertThat(databases.calls("b", StoreCall.SCHEDULE)).isEqualTo(2);
    }

    @Test
    void aCollisionAfterAnotherHostCommittedRepeatsOnlyItsOwnPart() {
        TimerKit kit = kit();
        databases.collide("b", StoreCall.COMMIT);
        assertBothAreStored(kit);

        assertThat(databases.calls("a", StoreCall.SCHEDULE)).isOne();
        assertThat(databases.calls("b", StoreCall.SCHEDULE)).isEqualTo(2);
    }

    private void assertBothAreStored(TimerKit kit) {
        assertThat(kit.scheduler().scheduleAll(both(MINUTE)))
                .extracting(ScheduleResult::outcome)
                .containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.CREATED);
        kit.advance(MINUTE);
        assertThat(kit.delivered())
                .extracting(each -> each.event().key().timerId())
                .containsExactlyInAnyOrder(onA, onB);
    }

    @Test
    void operatorsCallsAreDoneOnTheOtherHostsAndFail() {
        TimerKit kit = kit();
        kit.scheduler().scheduleAll(both(LATER));
        databases.down("a");
        assertThatThrownBy(() -> kit.scheduler().admin().cancel(TimerQuery.all().queue("default")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("host a");
        assertThat(databases.database("b").find(TimerKey.of(onB)).orElseThrow().state())
                .isEqualTo(TimerState.CANCELLED);
        kit.advance(MINUTE);
        assertThatThrownBy(() -> kit.scheduler().admin().purge(TimerQuery.all().queue("default"), kit.now()))
                .hasMessageContaining("host a");
        assertThat(databases.has("b", onB)).isFalse();
        databases.up("a");
        kit.advance(Duration.ofSeconds(15));
        assertThat(kit.scheduler().admin().cancel(TimerQuery.all().queue("default")))
                .isOne();
    }

    @Test
    void oneKeyGivenTwiceLiesOnOneHost() {
        TimerKit kit = kit();
        List<Timer> twice = List.of(
                Timer.after("t", LATER).shardingKey(keyOfA).build(),
                Timer.after("t", MINUTE).shardingKey(keyOfB).build());
        assertThat(kit.scheduler().scheduleAll(twice))
                .extracting(ScheduleResult::outcome)
                .containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.RESCHEDULED);

        assertThat(databases.has("a", "t")).isTrue();
        assertThat(databases.has("b", "t")).isFalse();
    }

    /** A read outside the transaction would see the old state, or wait for the locks of the transaction. */
    @Test
    void aCallersTransactionPlacesByWhatItHasWritten() {
        HostSet everywhere = HostSet.builder()
                .host("a", databases.store("a"))
                .host("b", databases.store("b"))
                .lookEverywhere()
                .build();
        TimerKit kit = HostsKit.kit(everywhere, 1, settings -> {});
        try (OwnTransaction transaction = everywhere.begin()) {
            var timers = kit.scheduler().in(transaction.transaction());
            timers.schedule(Timer.after("t", LATER).shardingKey(keyOfA).build());
            assertThat(timers.schedule(
                                    Timer.after("t", MINUTE).shardingKey(keyOfB).build())
                            .outcome())
                    .isEqualTo(ScheduleOutcome.RESCHEDULED);
            transaction.commit();
        }
        assertThat(databases.has("b", "t")).isFalse();
    }

    @Test
    void maintenanceReportsOnlyTheHostThatIsAway() {
        List<String> outages = new ArrayList<>();
        NodeListener listener = new NodeListener() {
            @Override
            public void outageBegan(String what, Throwable cause) {
                outages.add(what);
            }
        };
        PassageOfTime time = PassageOfTime.builder()
                .on(MinuteHasPassed.class, "minutes", minute -> {})
                .build();
        TimerKit kit =
                HostsKit.kit(hosts, 1, settings -> settings.extension(time).listener(listener));
        kit.advance(LATER);
        databases.down("b");
        kit.advance(LATER);

        assertThat(outages).containsExactly("store of host b");
    }
}
