package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SystemClock;
import dev.duetime.hosts.HostSet;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardMap.Lease;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that a thread with an interrupt closes a node in good order: no shard waits until a lease ends. */
class InterruptedCloseTest {
    private static final int QUEUES = 20;

    private final ScheduleStore store = new InMemoryScheduleStore(new SystemClock());

    private static SchedulerBuilder withQueues(SchedulerBuilder builder) {
        for (String queue : queues()) {
            builder.queue(queue, each -> each.publisher(batch -> {}));
        }
        return builder;
    }

    private static List<String> queues() {
        return IntStream.range(0, QUEUES).mapToObj(i -> "queue-" + i).toList();
    }

    private List<String> owners() {
        return queues().stream()
                .flatMap(queue -> store.leases().view(queue).leases().stream())
                .map(Lease::owner)
                .filter(owner -> owner != null)
                .toList();
    }

    private void closeInterrupted(Scheduler scheduler) {
        scheduler.start();
        while (owners().isEmpty()) {
            Thread.onSpinWait();
        }
        Thread.currentThread().interrupt();
        scheduler.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(owners()).isEmpty();
    }

    @Test
    void theShardsOfANodeAreReleased() {
        closeInterrupted(withQueues(Scheduler.builder().store(store)).build());
    }

    @Test
    void theShardsOnAHostAreReleased() {
        closeInterrupted(withQueues(Scheduler.builder()
                        .store(HostSet.builder().host("a", store).build()))
                .build());
    }
}
