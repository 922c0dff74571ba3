package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoreException;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of timers that a search for other tenants finds in a turn that does not publish them. */
class FoundAgainTest {
    private static final Duration A_CALL = Duration.ofMillis(10);
    private static final int COUNT = 400;

    private final FailingStore store = new FailingStore();
    private final TenantLateness queue = new TenantLateness(1, A_CALL, store);

    private final class FailingStore extends PassThroughStore {
        private Duration searching = Duration.ZERO;
        private Runnable beforeLaterLevel = () -> {};
        private Runnable beforeSettling = () -> {};

        /** Whether a search has found timers that were not published yet. */
        private boolean hasFound;

        FailingStore() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public boolean readsBesideWrites() {
            return true;
        }

        @Override
        public DueTimers due(DueQuery query) {
            int leftOut = query.but().tenants().size();
            if (leftOut > 1) {
                beforeLaterLevel.run();
            }
            DueTimers due = super.due(query);
            if (leftOut > 0) {
                if (!searching.isZero()) {
                    queue.kit().clock().linger(searching);
                }
                hasFound |= !due.timers().isEmpty();
            }
            return due;
        }

        @Override
        public int settle(List<Settlement> settlements) {
            beforeSettling.run();
            return super.settle(settlements);
        }
    }

    @AfterEach
    void close() {
        queue.close();
    }

    /** Schedules timers of a tenant that are due in groups. */
    private Instant smallTenant(int inGroup, int apartMillis) {
        Instant first = queue.kit().now().plusSeconds(2);
        for (int i = 0; i < COUNT; i++) {
            Instant group = first.plusMillis((long) apartMillis * (i / inGroup));
            queue.schedule("small", i, group.plusNanos(1_000L * i));
        }
        return first;
    }

    /** Those that only the search of the backlog finds come after many that are due later. */
    private void assertSmallOnesCameInOrder() {
        assertThat(queue.published.stream()
                        .filter(each -> each.tenant().equals("small"))
                        .map(TenantLateness.Published::dueAt))
                .hasSize(COUNT)
                .isSorted();
    }

    @Test
    void aTurnThatReadsAgainAfterALongSettlementFindsThemAgain() {
        queue.backlog("large", 0, 20_000);
        Instant first = smallTenant(1, 70);
        int[] settlements = {0};
        queue.afterEachCall(now -> store.hasFound = false);
        store.beforeSettling = () -> {
            // This turn has searched, and waits for the settlement of the one before.
            if (store.hasFound && queue.kit().now().isAfter(first.plusSeconds(1)) && ++settlements[0] % 20 == 0) {
                queue.kit().clock().linger(Duration.ofMillis(600));
            }
        };
        queue.kit().advance(Duration.ofSeconds(45));

        assertThat(settlements[0]).isGreaterThan(100);
        assertSmallOnesCameInOrder();
    }

    @Test
    void aSearchThatBreaksOffFindsThemAgain() {
        // The backlog is searched rarely.
        store.searching = Duration.ofMillis(5);
        queue.backlog("large", 0, 20_000);
        Instant first = smallTenant(20, 200);
        int[] failures = {0};
        store.beforeLaterLevel = () -> {
            if (queue.kit().now().isAfter(first.plusMillis(200L + 400L * failures[0]))) {
                failures[0]++;
                throw new StoreException("due", "queue", new IOException("no connection"));
            }
        };
        queue.kit().advance(Duration.ofSeconds(20));

        assertThat(failures[0]).isGreaterThan(5);
        assertSmallOnesCameInOrder();
    }
}
