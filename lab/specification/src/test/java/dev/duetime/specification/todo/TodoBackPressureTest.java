package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of how far a queue with a handler reads ahead of its workers and of its settler, and when it reads more. */
class TodoBackPressureTest {
    private static final int BATCH = 10;

    /** The loop reads again when two batches are left. Reads have 1, 2, 4, 8 … batches. */
    private static final int MOST_AHEAD = (2 + 8) * BATCH;

    private static final int WORKERS = 4;

    /** So long that a test notices if a loop waits for the next poll. */
    private static final Duration POLL = Duration.ofMinutes(10);

    private final Store store = new Store();
    private final List<String> began = new ArrayList<>();
    private final List<Instant> begunAt = new ArrayList<>();
    private Duration each = Duration.ZERO;
    private TodoQueue queue = TodoQueue.builder("unused").build();
    private @Nullable TimerKit kit;

    private TimerKit kit(TodoMode mode, int workers) {
        TimerKit built = TimerKit.builder()
                .store(store)
                .configure(scheduler -> {
                    queue = TodoQueue.builder("work")
                            .type("job", String.class, this::handle)
                            .mode(mode)
                            .workers(workers)
                            .build();
                    scheduler.batchSize(BATCH).pollInterval(POLL).todoQueue(queue);
                })
                .build();
        kit = built;
        return built;
    }

    private Outcome handle(Todo<String> todo, TodoRun run) {
        began.add(todo.id());
        begunAt.add(run.startedAt());
        store.mostAhead = Math.max(store.mostAhead, store.read.size() - began.size());
        Objects.requireNonNull(kit).clock().linger(each);
        return Outcome.complete();
    }

    private void enqueue(int count, Function<NewTodo, NewTodo> settings) {
        queue.enqueueAll(IntStream.range(0, count)
                .mapToObj(i -> settings.apply(NewTodo.of("job", "p").id("t" + i)))
                .toList());
    }

    private Duration longestGap() {
        return IntStream.range(1, begunAt.size())
                .mapToObj(i -> Duration.between(begunAt.get(i - 1), begunAt.get(i)))
                .reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b);
    }

    /** A store whose settling hangs, and which notes what was read and begun meanwhile. */
    private static final class Store extends PassThroughStore {
        final Set<TimerKey> read = new HashSet<>();
        int mostAhead;
        Runnable settling = () -> {};

        Store() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers due = super.due(query);
            due.timers().forEach(each -> read.add(each.key()));
            return due;
        }

        @Override
        public int settle(List<Settlement> settlements) {
            Runnable once = settling;
            settling = () -> {};
            once.run();
            return super.settle(settlements);
        }
    }

    /**
     * At four unsettled batches the loop reads less. The workers still have two batches then, and a read has at most
     * four.
     */
    @Test
    void aHangingSettleStopsWorkersAfterAFewBatches() {
        TimerKit node = kit(TodoMode.PARALLEL, WORKERS);
        List<Integer> begunMeanwhile = new ArrayList<>();
        store.settling = () -> {
            node.clock().linger(Duration.ofSeconds(30));
            begunMeanwhile.add(began.size());
        };
        enqueue(40 * BATCH, todo -> todo);
        node.advance(Duration.ofSeconds(31));

        assertThat(begunMeanwhile).hasSize(1);
        assertThat(begunMeanwhile.get(0)).isBetween(4 * BATCH, (4 + 2 + 4) * BATCH + WORKERS);
        assertThat(began).hasSize(40 * BATCH).doesNotHaveDuplicates();
        assertThat(begunAt).last().isEqualTo(TestClock.START.plusSeconds(30));
    }

    @Test
    void onlyAFewBatchesAreReadAheadOfTheWorkers() {
        TimerKit node = kit(TodoMode.PARALLEL, WORKERS);
        each = Duration.ofMillis(10);
        enqueue(40 * BATCH, todo -> todo);
        node.advance(Duration.ofSeconds(2));

        assertThat(store.mostAhead).isBetween(BATCH, MOST_AHEAD);
        assertThat(began).hasSize(40 * BATCH).doesNotHaveDuplicates();
        assertThat(longestGap()).isLessThanOrEqualTo(each);
    }

    @Test
    void aSequentialLaneIsRefilledBeforeItIsEmpty() {
        TimerKit node = kit(TodoMode.SEQUENTIAL, 1);
        each = Duration.ofMillis(10);
        enqueue(40 * BATCH, todo -> todo);
        node.advance(Duration.ofSeconds(5));

        assertThat(store.mostAhead).isLessThanOrEqualTo(MOST_AHEAD);
        assertThat(began).hasSize(40 * BATCH).doesNotHaveDuplicates();
        assertThat(longestGap()).isEqualTo(each);
    }

    @Test
    void theFullLaneOfAKeyIsRefilledBeforeItIsEmpty() {
        TimerKit node = kit(TodoMode.PARALLEL_BY_KEY, WORKERS);
        each = Duration.ofMillis(10);
        enqueue(20 * BATCH, todo -> todo.parallelKey("busy"));
        queue.enqueueAll(IntStream.range(0, 5 * BATCH)
                .mapToObj(i -> NewTodo.of("job", "p").id("other" + i).parallelKey("other" + i))
                .toList());
        node.advance(Duration.ofSeconds(5));

        assertThat(began).hasSize(25 * BATCH).doesNotHaveDuplicates();
        assertThat(began.subList(0, 7 * BATCH))
                .filteredOn(id -> id.startsWith("other"))
                .hasSize(5 * BATCH);
        assertThat(longestGap()).isLessThanOrEqualTo(each);
    }
}
