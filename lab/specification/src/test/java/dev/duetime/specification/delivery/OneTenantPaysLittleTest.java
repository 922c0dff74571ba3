package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of what the search for other tenants costs a queue that has only one. */
class OneTenantPaysLittleTest {
    private static final Duration A_READ = Duration.ofMillis(1);

    private final SlowStore store = new SlowStore();

    /** A store that counts the searches, which leave out tenants, and the other reads. Each takes a millisecond. */
    private static final class SlowStore extends PassThroughStore {
        private Runnable reading = () -> {};
        private int searches;
        private int reads;

        SlowStore() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            if (query.but().tenants().isEmpty()) {
                reads++;
            } else {
                searches++;
            }
            reading.run();
            return super.due(query);
        }
    }

    private TenantLateness queue(int callMillis) {
        TenantLateness queue = new TenantLateness(1, Duration.ofMillis(callMillis), store);
        store.reading = () -> queue.kit().clock().linger(A_READ);
        return queue;
    }

    @ParameterizedTest(name = "a call takes {0} ms")
    @ValueSource(ints = {0, 1, 10, 50})
    void eachPartOfTheSearchTakesAFiftiethOfTheTime(int callMillis) {
        try (TenantLateness queue = queue(callMillis)) {
            queue.backlog("large", 0, 6_000);
            Instant began = queue.kit().now();
            Instant[] ended = {began};
            queue.afterEachCall(now -> ended[0] = now);
            queue.kit().advance(Duration.ofSeconds(5));

            Duration busy = Duration.between(began, ended[0]);
            // The present and the backlog.
            assertThat(A_READ.multipliedBy(store.searches))
                    .isLessThanOrEqualTo(busy.dividedBy(25).plus(A_READ));
        }
    }

    /** A timer that is due when it is scheduled makes the next search go back, but it makes no search come sooner. */
    @ParameterizedTest(name = "a call takes {0} ms")
    @ValueSource(ints = {1, 10})
    void timersThatAreDueAtOnceCauseNoFurtherSearches(int callMillis) {
        try (TenantLateness queue = queue(callMillis)) {
            queue.backlog("large", 0, 6_000);
            Instant began = queue.kit().now();
            Instant[] ended = {began};
            int[] number = {10_000};
            queue.afterEachCall(now -> {
                ended[0] = now;
                if (now.isBefore(began.plusSeconds(4))) {
                    queue.schedule("large", number[0]++, now.minusMillis(1));
                }
            });
            queue.kit().advance(Duration.ofSeconds(5));

            Duration busy = Duration.between(began, ended[0]);
            assertThat(A_READ.multipliedBy(store.searches))
                    .isLessThanOrEqualTo(busy.dividedBy(25).plus(A_READ));
        }
    }

    @ParameterizedTest(name = "a call takes {0} ms")
    @ValueSource(ints = {1, 10, 50})
    void withoutABacklogThereIsNoSearch(int callMillis) {
        try (TenantLateness queue = queue(callMillis)) {
            Instant first = queue.kit().now().plusSeconds(1);
            for (int i = 0; i < 100; i++) {
                queue.schedule(i % 2 == 0 ? "a" : "b", i, first.plusMillis(20L * i));
            }
            queue.kit().advance(Duration.ofSeconds(5));

            assertThat(queue.published).hasSize(100);
            assertThat(store.searches).isZero();
        }
    }

    @ParameterizedTest(name = "a call takes {0} ms")
    @ValueSource(ints = {1, 10})
    void severalBatchesAreReadAtOnce(int callMillis) {
        try (TenantLateness queue = queue(callMillis)) {
            queue.backlog("large", 0, 4_000);
            int before = store.reads;
            queue.kit().advance(Duration.ofSeconds(10));

            assertThat(queue.published).hasSize(4_000);
            assertThat(store.reads - before).isLessThan(4_000 / TenantLateness.BATCH / 2);
        }
    }
}
