package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.SystemClock;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The rule that whoever closes waits for the end, also if somebody else closes already. */
class ConcurrentCloseTest {
    private static final TimerKey KEY = TimerKey.of("a");

    private final ScheduleStore store = new InMemoryScheduleStore(new SystemClock());
    private final CountDownLatch publishing = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    private Scheduler start(Publisher publisher) {
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .publisher(publisher)
                .closeTimeout(Duration.ofMinutes(1))
                .build();
        scheduler.start();
        scheduler.schedule(KEY, Duration.ZERO, null);
        return scheduler;
    }

    private static Thread close(Scheduler scheduler) {
        Thread closing = new Thread(scheduler::close);
        closing.start();
        while (closing.getState() != Thread.State.TIMED_WAITING && closing.isAlive()) {
            Thread.onSpinWait();
        }
        return closing;
    }

    private void assertSettled() {
        assertThat(store.find(KEY).orElseThrow().state()).isEqualTo(TimerState.REACHED);
        assertThat(store.leases().view("default").leases()).allMatch(lease -> lease.owner() == null);
    }

    @Test
    void aSecondCloseWaitsForTheFirst() throws InterruptedException {
        Scheduler scheduler = start(batch -> {
            publishing.countDown();
            goOn.await();
        });
        publishing.await();
        Thread first = close(scheduler);
        Thread second = close(scheduler);
        assertThat(second.isAlive()).isTrue();

        goOn.countDown();
        second.join();
        assertSettled();
        first.join();
    }

    @Test
    void aSecondCloseWaitsForAPublisherThatCloses() throws InterruptedException {
        Scheduler[] own = new Scheduler[1];
        CountDownLatch known = new CountDownLatch(1);
        Scheduler scheduler = start(batch -> {
            known.await();
            own[0].close();
            publishing.countDown();
            goOn.await();
        });
        own[0] = scheduler;
        known.countDown();
        publishing.await();
        Thread second = close(scheduler);
        assertThat(second.isAlive()).isTrue();

        goOn.countDown();
        second.join();
        assertSettled();
    }

    @Test
    void aPublisherThatClosesWhileItIsClosedDoesNotWait() throws InterruptedException {
        Scheduler[] own = new Scheduler[1];
        Scheduler scheduler = start(batch -> {
            publishing.countDown();
            goOn.await();
            own[0].close();
        });
        own[0] = scheduler;
        publishing.await();
        Thread first = close(scheduler);

        goOn.countDown();
        first.join();
        assertSettled();
    }
}
