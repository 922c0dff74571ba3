package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The rule that ended timers are deleted as fast as a queue delivers them, by one node, with pauses. */
class PurgePaceTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration A_BATCH = Duration.ofMillis(20);
    private static final int A_SECOND = 5_000;

    private final TestClock clock = new TestClock();
    private final InMemoryScheduleStore table = new InMemoryScheduleStore(clock);
    private final Set<String> purging = new TreeSet<>();
    private final List<Instant> times = new ArrayList<>();
    private int perSecond;
    private Instant since = clock.now();
    private long before;
    private long deleted;

    /** A store with timers that end, without keeping them. */
    private final class EndingStore extends PassThroughStore {
        private final String node;

        EndingStore(String node) {
            super(table);
            this.node = node;
        }

        @Override
        public int purge(String queue, Instant endedBefore, int limit) {
            purging.add(node);
            times.add(clock.now());
            clock.linger(A_BATCH);
            int count = (int) Math.min(limit, left());
            deleted += count;
            return count;
        }
    }

    private long left() {
        return before + Duration.between(since, clock.now()).toMillis() * perSecond / 1_000 - deleted;
    }

    private void endEach(int count) {
        before = left() + deleted;
        since = clock.now();
        perSecond = count;
    }

    private void start(String node) {
        Scheduler.builder()
                .store(new EndingStore(node))
                .clock(clock.node(node))
                .nodeId(node)
                .publisher(batch -> {})
                .build()
                .start();
        clock.runDue();
    }

    @Test
    void fiveThousandEndedTimersASecondAreDeletedInTime() {
        start("a");
        start("b");
        clock.advance(MINUTE);
        endEach(A_SECOND);
        clock.advance(MINUTE.multipliedBy(3));
        for (int minute = 0; minute < 10; minute++) {
            clock.advance(MINUTE);
            assertThat(left()).isLessThan(4 * A_SECOND);
        }
    }

    @Test
    void oneNodePurgesAQueueAndAnotherReplacesIt() {
        start("a");
        start("b");
        clock.advance(MINUTE.multipliedBy(2));
        endEach(A_SECOND);
        purging.clear();
        clock.advance(MINUTE.multipliedBy(2));
        assertThat(purging).hasSize(1);
    }

    @Test
    void aBacklogLeavesTheDatabaseHalfOfTheTime() {
        start("a");
        clock.advance(MINUTE.multipliedBy(2));
        endEach(1_000_000);
        clock.advance(MINUTE);
        endEach(0);
        times.clear();
        clock.advance(Duration.ofSeconds(4));
        assertThat(times).hasSizeBetween(99, 101);
    }

    @Test
    void anIdleQueueIsCheckedOnceAMinute() {
        start("a");
        clock.advance(MINUTE.multipliedBy(2));
        times.clear();
        clock.advance(MINUTE.multipliedBy(10));
        assertThat(times).hasSize(10);
    }
}
