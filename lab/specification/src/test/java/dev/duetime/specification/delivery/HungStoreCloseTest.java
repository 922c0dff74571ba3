package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SystemClock;
import dev.duetime.Timer;
import dev.duetime.hosts.HostSet;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import dev.duetime.testkit.EachCall;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The rule that closing ends in time, whatever call of the store hangs. Uses real threads. The calls hang as those of a
 * database do whose host is cut off.
 */
class HungStoreCloseTest {
    private final CountDownLatch hangs = new CountDownLatch(1);
    private final CountDownLatch published = new CountDownLatch(1);
    private volatile boolean isCutOff;

    @AfterEach
    void letTheCallsEnd() {
        hangs.countDown();
    }

    /** A driver that reads from a socket ignores the interrupt, too. */
    private void hangIfCutOff(String call) {
        boolean interrupted = false;
        while (isCutOff && hangs.getCount() > 0) {
            try {
                hangs.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private ScheduleStore store() {
        return EachCall.of(new PushingStore(), this::hangIfCutOff);
    }

    /** A store that pushes hints, by a connection that it closes with the receiver. */
    private final class PushingStore extends PassThroughStore {
        PushingStore() {
            super(new InMemoryScheduleStore(new SystemClock()));
        }

        @Override
        public WakeUps wakeUps() {
            return new WakeUps() {
                @Override
                public Optional<Receiver> receive() {
                    return Optional.of(new ConnectedReceiver());
                }
            };
        }
    }

    private final class ConnectedReceiver implements WakeUps.Receiver {
        @Override
        public List<WakeUp> await(Duration longest) {
            return List.of();
        }

        @Override
        public void close() {
            hangIfCutOff("close");
        }
    }

    private void closes(SchedulerBuilder builder) throws InterruptedException {
        Scheduler scheduler = builder.closeTimeout(Duration.ZERO)
                .occurrenceHistory(Duration.ofDays(1))
                .publisher(batch -> {
                    // Its outcome, and its entry of the history, are never written.
                    isCutOff = true;
                    published.countDown();
                })
                .build();
        scheduler.schedule(
                Timer.recurring("r", Recurrence.every(Duration.ofSeconds(1))).build());
        scheduler.start();
        assertThat(published.await(30, TimeUnit.SECONDS)).isTrue();
        Thread closer = new Thread(scheduler::close);
        closer.setDaemon(true);
        closer.start();
        closer.join(20_000);
        assertThat(closer.isAlive()).as("still closing").isFalse();
    }

    @Test
    void aNodeOfOneStoreClosesInTime() throws InterruptedException {
        closes(Scheduler.builder().store(store()));
    }

    @Test
    void aNodeOfTwoHostsClosesInTime() throws InterruptedException {
        closes(Scheduler.builder()
                .store(HostSet.builder().host("a", store()).host("b", store()).build()));
    }
}
