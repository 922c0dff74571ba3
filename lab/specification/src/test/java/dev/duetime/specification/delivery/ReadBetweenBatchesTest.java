package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the read between two batches of a turn, which asks whether another tenant waits. */
class ReadBetweenBatchesTest {
    private static final int BACKLOG = 3_000;
    private static final int READ_AT_ONCE = 8 * TenantLateness.BATCH;

    /** A read between two batches counts timers, and so needs more than a small batch. */
    private static final int BETWEEN = 16;

    private final RecordingStore store = new RecordingStore();
    private final TenantLateness queue = new TenantLateness(1, Duration.ofMillis(10), store);

    private static final class RecordingStore extends PassThroughStore {
        private final List<DueQuery> reads = new ArrayList<>();
        private Runnable betweenBatches = () -> {};

        RecordingStore() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            if (query.but().tenants().isEmpty()) {
                reads.add(query);
            } else if (query.limit() == BETWEEN) {
                betweenBatches.run();
            }
            return super.due(query);
        }
    }

    @AfterEach
    void close() {
        queue.close();
    }

    private Instant backlog() {
        queue.backlog("large", 0, BACKLOG);
        queue.kit().advance(Duration.ofMillis(500));
        assertThat(store.reads.get(store.reads.size() - 1).limit()).isEqualTo(READ_AT_ONCE);
        store.reads.clear();
        return queue.kit().now();
    }

    private void assertEachWasPublishedOnce(int small) {
        assertThat(queue.published).hasSize(BACKLOG + small);
        assertThat(queue.published.stream().distinct()).hasSize(BACKLOG + small);
    }

    @Test
    void aTurnThatEndsEarlyIsNoReasonToReadEverythingAgain() {
        Instant now = backlog();
        queue.schedule("small", 0, now.plusMillis(213));
        queue.kit().advance(Duration.ofMillis(500));

        assertThat(queue.latenessOf("small")).hasSize(1);
        assertThat(store.reads)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.from()).isAfter(Instant.MIN));
        queue.kit().advance(Duration.ofSeconds(5));
        assertEachWasPublishedOnce(1);
    }

    @Test
    void aReadThatFailsEndsNoTurn() {
        Instant now = backlog();
        queue.schedule("small", 0, now.plusMillis(733));
        int[] failures = {0};
        store.betweenBatches = () -> {
            if (failures[0] < 5) {
                failures[0]++;
                throw new StoreException("due", "queue", new IOException("no connection"));
            }
        };
        queue.kit().advance(Duration.ofMillis(700));

        assertThat(failures[0]).isEqualTo(5);
        assertThat(store.reads).allSatisfy(each -> {
            assertThat(each.from()).isAfter(Instant.MIN);
            assertThat(each.limit()).isEqualTo(READ_AT_ONCE);
        });
        queue.kit().advance(Duration.ofSeconds(5));
        assertEachWasPublishedOnce(1);
    }

    /** The next turn finds them. */
    @Test
    void timersWithParallelKeysWaitForTheNextTurn() {
        Instant now = backlog();
        for (int i = 0; i < 20; i++) {
            queue.kit()
                    .scheduler()
                    .schedule(Timer.at(TimerKey.of("keyed", "t" + i), now.plusMillis(13L * i))
                            .parallelKey("k" + i)
                            .build());
        }
        queue.kit().advance(Duration.ofMillis(900));

        assertThat(queue.latenessOf("keyed"))
                .hasSize(20)
                .allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(Duration.ofMillis(100)));
        queue.kit().advance(Duration.ofSeconds(5));
        assertEachWasPublishedOnce(20);
    }
}
