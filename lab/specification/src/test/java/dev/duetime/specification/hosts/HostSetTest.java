package dev.duetime.specification.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import ch.qos.logback.classic.Level;
import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.PolledBatch;
import dev.duetime.listener.QueueSample;
import dev.duetime.specification.LogLines;
import dev.duetime.store.TimerStore;
import dev.duetime.testkit.TimerKit;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests of a scheduler on several databases. */
class HostSetTest extends OnHosts {
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
    void aTimerThatIsScheduledForNowIsDeliveredNow() {
        TimerKit kit = kit(1, "a", "b");
        kit.scheduler().scheduleAll(timers("t-", 20, Duration.ZERO));
        kit.runDue();

        assertOnce(kit, 20);
    }

    @Test
    void anOperatorHasTimersOfAllHostsDeliveredNow() {
        TimerKit kit = kit(2, "a", "b");
        kit.scheduler().scheduleAll(timers("t-", 20, Duration.ofHours(1)));

        assertThat(kit.scheduler().admin().deliverNow(TimerKey.of("t-0"))).isTrue();
        assertThat(kit.scheduler().admin().deliverNow(TimerQuery.all().queue("default")))
                .isEqualTo(19);
        // Those in shards of the other node are hinted at.
        kit.advance(Duration.ofSeconds(1));

        assertOnce(kit, 20);
    }

    @Test
    void anOperationThatIsEndedChangesNothingOnFurtherHosts() {
        TimerKit kit = kit(1, "a", "b", "c");
        kit.scheduler().scheduleAll(timers("t-", 60, Duration.ofHours(1)));

        long cancelled = kit.scheduler()
                .admin()
                .watched(written -> false)
                .cancel(TimerQuery.all().queue("default").limit(2));

        assertThat(cancelled).isEqualTo(2);
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

    @Test
    void aQueueHasAsManyShardsOnAllHosts() {
        kit(1, "a").close();
        databases.database("b").leases().open("default", OptionalInt.of(7));

        assertThatIllegalStateException().isThrownBy(() -> kit(1, "a", "b")).withMessageContaining("7 on host b");
    }
}
