package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Scheduler;
import dev.duetime.store.ShardLeases;
import dev.duetime.testkit.PassThroughLeases;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule that an error in one step of a close keeps no other step from being done. */
class CloseWithoutMemoryTest {
    private final TestClock clock = new TestClock();
    private final List<String> released = new ArrayList<>();
    private boolean letGo;

    /** A store whose first release of shards fails with an error. */
    private final class FullHeap extends PassThroughStore {
        FullHeap() {
            super(new InMemoryScheduleStore(clock));
        }

        @Override
        public ShardLeases leases() {
            return new PassThroughLeases(intact.leases()) {
                @Override
                public void release(String queue, Collection<Integer> shards, String node) {
                    released.add(queue);
                    if (released.size() == 1) {
                        throw new OutOfMemoryError("by a test");
                    }
                    super.release(queue, shards, node);
                }

                @Override
                public void letGo() {
                    letGo = true;
                }
            };
        }
    }

    @Test
    void anErrorOfOneQueueKeepsNoShardOfAnother() {
        FullHeap store = new FullHeap();
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .clock(clock)
                .publisher(batch -> {})
                .queue("mail", queue -> queue.publisher(batch -> {}))
                .build();
        scheduler.start();
        clock.advance(Duration.ofSeconds(10));

        assertThatThrownBy(scheduler::close).isInstanceOf(OutOfMemoryError.class);

        assertThat(released).containsExactlyInAnyOrder("default", "mail");
        assertThat(store.leases().view(released.get(1)).leases())
                .isNotEmpty()
                .allSatisfy(lease -> assertThat(lease.owner()).isNull());
        assertThat(letGo).isTrue();
    }
}
