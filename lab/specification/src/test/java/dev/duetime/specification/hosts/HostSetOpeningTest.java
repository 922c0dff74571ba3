package dev.duetime.specification.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Clock;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.hosts.HostSet;
import dev.duetime.listener.NodeListener;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.WakeUps;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.HeapFull;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of nodes that start while a host is away. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostSetOpeningTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final HostsKit databases = new HostsKit();
    private final List<String> told = new ArrayList<>();
    private final List<String> onA = HostsKit.idsOn(databases.hosts("a", "b"), "a", 10);
    private final List<String> onB = HostsKit.idsOn(databases.hosts("a", "b"), "b", 10);

    private final NodeListener listener = new NodeListener() {
        @Override
        public void outageBegan(String what, Throwable cause) {
            told.add("began: " + what);
        }

        @Override
        public void outageOver(String what, Duration lasted) {
            told.add("over: " + what);
        }
    };

    private TimerKit kit(HostSet hosts) {
        return HostsKit.kit(hosts, 1, settings -> settings.listener(listener));
    }

    private static void schedule(TimerKit kit, String id) {
        kit.scheduler().schedule(TimerKey.of(id), MINUTE, null);
    }

    @Test
    void healthNamesAHostUntilItIsBack() {
        databases.down("b");
        TimerKit kit = kit(databases.hosts("a", "b"));
        schedule(kit, onA.get(0));
        assertThatThrownBy(() -> schedule(kit, onB.get(0)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("host b");
        assertThat(kit.scheduler().admin().health().isHealthy()).isTrue();
        kit.advance(Duration.ofMinutes(2));

        assertThat(kit.delivered()).hasSize(1);
        assertThat(told).containsExactly("began: store of host b");
        assertThat(kit.scheduler().admin().health().isHealthy()).isFalse();
        assertThat(String.valueOf(kit.scheduler().admin().health().leaseOutage()))
                .contains("host b: ");
        databases.up("b");
        kit.advance(Duration.ofSeconds(15));
        assertThat(told).containsExactly("began: store of host b", "over: store of host b");
        assertThat(kit.scheduler().admin().health().isHealthy()).isTrue();
        schedule(kit, onB.get(0));
        kit.advance(MINUTE);
        assertThat(kit.delivered()).hasSize(2);
    }

    @Test
    void aHostWithAnotherNumberOfShardsIsReportedAndNotUsed() {
        databases.database("b").leases().open("default", OptionalInt.of(7));
        databases.down("b");
        TimerKit kit = kit(databases.hosts("a", "b"));
        databases.up("b");
        kit.advance(Duration.ofMinutes(2));

        schedule(kit, onA.get(0));
        assertThatThrownBy(() -> schedule(kit, onB.get(0)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("7 on host b");
        assertThat(kit.scheduler().admin().health().isHealthy()).isFalse();
        assertThat(String.valueOf(kit.scheduler().admin().health().leaseOutage()))
                .contains("7 on host b");
    }

    /** The order of the names does not show which host was there first. */
    @Test
    void theFirstHostsDecideTheNumberOfShards() {
        databases.database("z").leases().open("default", OptionalInt.of(7));
        kit(databases.hosts("z", "+a"));

        assertThat(databases.database("a").leases().open("default", OptionalInt.empty()))
                .isEqualTo(7);
    }

    @Test
    void aStoreIsOpenedWhenItsHostIsBack() {
        opensWhenItIsBack(() -> {
            throw new IllegalStateException("no pool");
        });
    }

    @Test
    void aStoreWhoseOpeningThrewAnErrorIsOpenedWhenItsHostIsBack() {
        opensWhenItIsBack(() -> {
            throw new ExceptionInInitializerError("no pool");
        });
    }

    private void opensWhenItIsBack(Runnable failure) {
        AtomicInteger attempts = new AtomicInteger();
        TimerKit kit = kit(HostSet.builder()
                .host("a", databases.store("a"))
                .host("b", () -> opened(attempts, failure))
                .build());
        assertThat(attempts).as("when built and when started").hasValue(2);
        assertThatThrownBy(() -> schedule(kit, onB.get(0)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("host b")
                .hasMessageContaining("no pool");
        kit.advance(Duration.ofSeconds(5));
        schedule(kit, onB.get(0));
        schedule(kit, onA.get(0));
        kit.advance(MINUTE);

        assertThat(kit.delivered()).hasSize(2);
        assertThat(attempts).hasValue(4);
    }

    private ScheduleStore opened(AtomicInteger attempts, Runnable failure) {
        if (attempts.incrementAndGet() < 4) {
            failure.run();
        }
        return databases.database("b");
    }

    @Test
    void aStoreThatIsOpenedOnItsFirstUseKeepsLimits() {
        HostSet hosts =
                HostSet.builder().host("a", () -> databases.database("a")).build();
        TimerKit kit =
                HostsKit.kit(hosts, 1, settings -> settings.queue("default", queue -> queue.concurrencyLimit(1)));
        schedule(kit, onA.get(0));
        kit.advance(MINUTE);

        assertThat(kit.delivered()).hasSize(1);
        assertThat(kit.scheduler().admin().limits()).hasSize(1);
    }

    @Test
    void aStoreThatIsOpenedOnItsFirstUseKeepsHints() {
        HostSet hosts =
                HostSet.builder().host("a", () -> databases.database("a")).build();
        TimerKit kit = HostsKit.kit(hosts, 2, settings -> {});
        kit.advance(MINUTE);
        for (String id : onA) {
            Timer timer = Timer.after(id, Duration.ofSeconds(1)).parallelKey(id).build();
            kit.scheduler().schedule(timer);
        }
        kit.advance(Duration.ofMillis(500));

        assertThat(databases.database("a").wakeUps().sent())
                .extracting(WakeUps.Sent::queue)
                .contains("default");
    }

    @Test
    void anAttemptThatHangsDelaysNoOther() throws InterruptedException {
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        TimerKit kit = kit(HostSet.builder()
                .host("a", databases.store("a"))
                .host("b", () -> {
                    if (attempts.incrementAndGet() > 2) {
                        hangs.countDown();
                        await(released);
                    }
                    throw new IllegalStateException("no pool");
                })
                .build());
        List<Throwable> thrown = new ArrayList<>();
        Thread caller = new Thread(() -> {
            try {
                schedule(kit, onB.get(0));
            } catch (StoreException e) {
                thrown.add(e);
            }
        });
        caller.start();
        hangs.await();

        schedule(kit, onA.get(0));
        assertThatThrownBy(() -> schedule(kit, onB.get(1)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no pool");
        assertThatThrownBy(() -> kit.scheduler().find(TimerKey.of(onB.get(1)))).hasMessageContaining("host b");
        assertThat(kit.scheduler().admin().health().running()).isTrue();
        kit.close();
        assertThat(attempts).hasValue(3);
        released.countDown();
        caller.join();
        assertThat(thrown).hasSize(1);
    }

    /** A clock that has no thread for some loops. */
    private record ScarceThreads(TestClock time, AtomicInteger missing) implements Clock {
        @Override
        public Instant now() {
            return time.now();
        }

        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        @Override
        public Loop start(String name, Pass pass) {
            if (missing.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
                throw new HeapFull("unable to create native thread");
            }
            return time.start(name, pass);
        }
    }

    @Test
    void aHostWhoseThreadsWereMissingWhenItCameBackDelivers() {
        TestClock time = new TestClock();
        AtomicInteger missing = new AtomicInteger();
        InMemoryPublisher publisher = new InMemoryPublisher();
        databases.down("b");
        try (Scheduler scheduler = Scheduler.builder()
                .store(databases.hosts("a", "b"))
                .clock(new ScarceThreads(time, missing))
                .publisher(publisher)
                .listener(listener)
                .build()) {
            scheduler.start();
            databases.up("b");
            missing.set(1);
            time.advance(Duration.ZERO);
            assertThat(missing).hasValue(0);
            assertThat(told).as("not back before it delivers").containsExactly("began: store of host b");
            time.advance(Duration.ofSeconds(5));
            assertThat(told).containsExactly("began: store of host b", "over: store of host b");

            scheduler.schedule(TimerKey.of(onB.get(0)), MINUTE, null);
            time.advance(MINUTE);
            assertThat(publisher.delivered(onB.get(0))).hasSize(1);
            assertThat(scheduler.admin().health().isHealthy()).isTrue();
        }
    }

    @Test
    void aCallThatOpensAHostKeepsTheInterruptOfItsThread() {
        databases.down("b");
        TimerKit kit = kit(databases.hosts("a", "b"));
        kit.advance(Duration.ofMinutes(2));
        databases.up("b");
        Thread.currentThread().interrupt();
        schedule(kit, onB.get(0));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(told).containsExactly("began: store of host b", "over: store of host b");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
