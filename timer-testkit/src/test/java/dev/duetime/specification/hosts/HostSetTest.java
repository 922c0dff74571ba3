package dev.duetime.specification.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.duetime.CancelResult;
import dev.duetime.Envelope;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.hosts.HostSet;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.PolledBatch;
import dev.duetime.listener.QueueSample;
import dev.duetime.specification.LogLines;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.TimerStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests of a scheduler on several databases. */
class HostSetTest {
    private static final Duration LATER = Duration.ofMinutes(6);
    private static final Duration UNTIL_SHARED = Duration.ofSeconds(30);

    private final HostsKit databases = new HostsKit();

    private TimerKit kit(int nodes, String... hosts) {
        TimerKit kit = HostsKit.kit(databases.hosts(hosts), nodes, settings -> {});
        kit.advance(UNTIL_SHARED);
        return kit;
    }

    private static HostSet hosts(TimerKit kit) {
        return (HostSet) kit.scheduler().store();
    }

    private static List<Timer> timers(String prefix, int count, Duration delay) {
        return IntStream.range(0, count)
                .mapToObj(i -> Timer.at(prefix + i, TestClock.START.plus(delay)).build())
                .toList();
    }

    private static long count(List<ScheduleResult> results, ScheduleOutcome outcome) {
        return results.stream().filter(each -> each.outcome() == outcome).count();
    }

    private static void assertOnce(TimerKit kit, int count) {
        assertThat(kit.delivered()).hasSize(count);
        assertThat(kit.delivered()).extracting(Envelope::id).doesNotHaveDuplicates();
    }

    @Test
    void timersOfAllHostsAreDeliveredAtTheirTimes() {
        TimerKit kit = kit(2, "a", "b", "c");
        for (int i = 0; i < 300; i++) {
            kit.node(i % 2)
                    .scheduler()
                    .schedule(Timer.after("t-" + i, Duration.ofSeconds(10 + i)).build());
        }
        kit.advance(LATER);

        assertOnce(kit, 300);
        assertThat(kit.delivered())
                .allMatch(each -> each.event().reachedAt().equals(each.event().dueAt()));
        for (String host : List.of("a", "b", "c")) {
            assertThat(databases.database(host).query(TimerQuery.all().limit(1_000)))
                    .hasSizeBetween(70, 130)
                    .allMatch(each -> each.state() == TimerState.REACHED);
        }
    }

    @Test
    void whatIsScheduledForNowIsDeliveredNow() {
        TimerKit kit = kit(1, "a", "b");
        kit.scheduler().scheduleAll(timers("t-", 20, Duration.ZERO));
        kit.runDue();

        assertOnce(kit, 20);
    }

    @Test
    void anotherKindOfStoreForCallersIsRefused() {
        TimerStore ofCallers = (TimerStore) Proxy.newProxyInstance(
                TimerStore.class.getClassLoader(), new Class<?>[] {TimerStore.class}, (proxy, method, given) -> null);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Scheduler.builder().store(ofCallers))
                .withMessageStartingWith("store must be a ScheduleStore or a HostSet but was a ");
    }

    @Test
    void aKitOnAHostSetHasNoSingleStore() {
        TimerKit kit = kit(1, "a", "b");
        assertThatIllegalStateException()
                .isThrownBy(kit::store)
                .withMessage("store must be a ScheduleStore but was a dev.duetime.hosts.HostSet");
    }

    @Test
    void theLogNamesTheClassOfAListenerThatFails() {
        NodeListener failing = new NodeListener() {
            @Override
            public void delivered(Envelope envelope) {
                throw new IllegalStateException("delivered");
            }

            @Override
            public void polled(PolledBatch batch) {
                throw new IllegalStateException("polled");
            }
        };
        try (LogLines lines = LogLines.ofDuetime()) {
            TimerKit kit = HostsKit.kit(databases.hosts("a"), 1, settings -> settings.listener(failing));
            kit.scheduler().scheduleAll(timers("t-", 3, Duration.ZERO));
            kit.runDue();

            String name = failing.getClass().getName();
            assertThat(lines.messages(Level.WARN))
                    .contains(
                            "listener " + name + " failed in delivered; this is logged once",
                            "listener " + name + " failed in polled; this is logged once");
        }
    }

    @Nested
    class AHostThatWasAdded {
        @Test
        void getsItsShareOfNewKeysOnly() {
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
            assertThat(databases.database("c").query(TimerQuery.all().limit(1_000)))
                    .hasSizeBetween(70, 130);
            kit.advance(LATER.multipliedBy(3));

            assertOnce(kit, 600);
        }

        @Test
        void isNotGivenAnEndedKeyWhoseRowStandsElsewhere() {
            TimerKit before = kit(1, "a", "b");
            before.scheduler().scheduleAll(timers("old-", 100, Duration.ofSeconds(1)));
            before.advance(LATER);
            before.close();

            List<ScheduleResult> repeats =
                    kit(1, "a", "b", "+c").scheduler().scheduleAll(timers("old-", 100, Duration.ofSeconds(1)));

            assertThat(count(repeats, ScheduleOutcome.IGNORED)).isEqualTo(100);
        }

        @Test
        void takesNoMovedKeysWhileTheirFormerHostIsAway() {
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

    @Nested
    class AHostThatIsAway {
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
                    .allMatch(
                            each -> each.event().reachedAt().equals(each.event().dueAt()));
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

    @Test
    void operatorsSeeOneStore() {
        TimerKit kit = kit(2, "a", "b");
        kit.scheduler().scheduleAll(timers("t-", 250, LATER));

        assertThat(kit.scheduler().admin().count(TimerQuery.all()))
                .singleElement()
                .satisfies(each -> assertThat(each.timers()).isEqualTo(250));
        List<TimerKey> first = kit.scheduler().query(TimerQuery.all()).stream()
                .map(each -> each.key())
                .toList();
        assertThat(first).hasSize(100).isSorted();
        assertThat(kit.scheduler().admin().queues()).singleElement().satisfies(queue -> {
            assertThat(queue.shards()).isEqualTo(8);
            assertThat(queue.unownedShards()).isZero();
            assertThat(queue.nodes()).hasSize(2).allMatch(node -> node.shards().size() == 4);
        });
        assertThat(kit.node(0).scheduler().admin().health().queues())
                .singleElement()
                .satisfies(queue -> assertThat(queue.ownedShards()).isEqualTo(4));
        assertThat(kit.scheduler().admin().pause("default")).isTrue();
        kit.advance(LATER);
        assertThat(kit.delivered()).isEmpty();
        assertThat(kit.scheduler().admin().resume("default")).isTrue();
        kit.advance(Duration.ofSeconds(10));
        assertOnce(kit, 250);
        kit.scheduler().scheduleAll(timers("u-", 250, LATER.multipliedBy(9)));
        assertThat(kit.scheduler().admin().cancel(TimerQuery.all().queue("default")))
                .isEqualTo(250);
    }

    @Test
    void listenersGetSumsAndTheNamesOfHosts() {
        List<QueueSample> samples = new ArrayList<>();
        List<String> outages = new ArrayList<>();
        NodeListener listener = new NodeListener() {
            @Override
            public void sampled(QueueSample sample) {
                samples.add(sample);
            }

            @Override
            public void outageBegan(String what, Throwable cause) {
                outages.add(what);
            }
        };
        TimerKit kit = HostsKit.kit(databases.hosts("a", "b"), 1, settings -> settings.listener(listener));
        kit.scheduler().scheduleAll(timers("t-", 100, LATER));
        kit.advance(Duration.ofMinutes(2));
        databases.down("b");
        kit.advance(Duration.ofSeconds(30));

        assertThat(samples).last().satisfies(sample -> {
            assertThat(sample.pending()).isEqualTo(100);
            assertThat(sample.shardsOwned()).isEqualTo(8);
        });
        assertThat(outages).containsExactly("store of host b");
    }

    @Nested
    class TheCallersTransaction {
        private final TimerKit kit = kit(1, "a", "b");
        private final List<String> onA = HostsKit.idsOn(hosts(kit), "a", 2);
        private final List<String> onB = HostsKit.idsOn(hosts(kit), "b", 2);

        @Test
        void isOfOneHostAndWritesWhatLiesThere() {
            try (InMemoryTransaction transaction = databases.database("a").begin()) {
                var timers = kit.scheduler().in(hosts(kit).on("a", transaction));
                timers.schedule(TimerKey.of(onA.get(0)), Duration.ofMinutes(1), null);
                assertThat(timers.find(TimerKey.of(onA.get(0)))).isPresent();
                assertThat(kit.scheduler().find(TimerKey.of(onA.get(0)))).isEmpty();
                transaction.commit();
            }
            kit.advance(LATER);
            assertOnce(kit, 1);
        }

        @Test
        void refusesWhatLiesElsewhereBeforeAnythingIsWritten() {
            kit.scheduler().schedule(TimerKey.of(onB.get(1)), LATER, null);
            try (InMemoryTransaction transaction = databases.database("a").begin()) {
                var timers = kit.scheduler().in(hosts(kit).on("a", transaction));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> timers.scheduleAll(List.of(
                                Timer.after(onA.get(0), LATER).build(),
                                Timer.after(onB.get(0), LATER).build())))
                        .withMessageContaining(onB.get(0) + " lies on host b")
                        .withMessageContaining("transaction of host a");
                assertThatIllegalArgumentException().isThrownBy(() -> timers.cancel(TimerKey.of(onB.get(1))));
                transaction.commit();
            }
            assertThat(databases.has("a", onA.get(0))).isFalse();
        }

        @Test
        void mustNameItsHost() {
            try (InMemoryTransaction transaction = databases.database("a").begin()) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> kit.scheduler().in(transaction))
                        .withMessageContaining("must name its host");
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> hosts(kit).on("x", transaction))
                        .withMessageContaining("[a, b]");
            }
        }

        @Test
        void mayBeOneOfTheSetOverAllHosts() {
            try (OwnTransaction transaction = hosts(kit).begin()) {
                kit.scheduler()
                        .in(transaction.transaction())
                        .scheduleAll(List.of(
                                Timer.after(onA.get(0), LATER).build(),
                                Timer.after(onB.get(0), LATER).build()));
                assertThat(databases.has("b", onB.get(0))).isFalse();
                transaction.commit();
            }
            kit.advance(LATER);
            assertOnce(kit, 2);
        }
    }

    @Test
    void aQueueHasAsManyShardsOnAllHosts() {
        kit(1, "a").close();
        databases.database("b").leases().open("default", OptionalInt.of(7));

        assertThatIllegalStateException().isThrownBy(() -> kit(1, "a", "b")).withMessageContaining("7 on host b");
    }
}
