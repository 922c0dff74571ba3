package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.specification.OverlappingTime;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rule that tenants of a todo queue take turns also if their todos run so long that those in memory are read again
 * before the next one runs.
 */
class TodoSlowTurnsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration RUN = Duration.ofMillis(1_500);

    /** Longer than the buffer is. */
    private static final int LONG = 600;

    private final OverlappingTime clock = new OverlappingTime();
    private final List<String> ran = new ArrayList<>();
    private Duration run = RUN;
    private String type = "job";

    /** How many milliseconds longer some runs last than others. */
    private int spread;

    @SuppressWarnings("NullAway") // each test begins with queue()
    private TodoQueue queue;

    @SuppressWarnings("NullAway") // likewise
    private Scheduler scheduler;

    /** A store whose reads take a while, in which workers take what the read before has found. */
    private final class SlowReads extends PassThroughStore {
        SlowReads() {
            super(new InMemoryScheduleStore(clock));
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers read = super.due(query);
            clock.linger(Duration.ofMillis(20));
            return read;
        }
    }

    private void queue(int workers, UnaryOperator<TodoQueue.Builder> more) {
        queue = more.apply(TodoQueue.builder("work").type("job", String.class, (todo, attempt) -> {
                    ran.add(todo.key().tenantId());
                    clock.linger(run.plusMillis(spread == 0 ? 0 : 137L * ran.size() % spread));
                    return Outcome.complete();
                }))
                .mode(TodoMode.PARALLEL)
                .workers(workers)
                .build();
        scheduler = Scheduler.builder()
                .store(new SlowReads())
                .clock(clock)
                .todoQueue(queue)
                .shards(4)
                .batchSize(50)
                .build();
        scheduler.start();
        clock.advance(SECOND.multipliedBy(30));
    }

    @AfterEach
    void close() {
        scheduler.close();
        clock.close();
    }

    /** Enqueues todos of a tenant that are due a millisecond after the other. */
    private void enqueue(String tenant, int count, Instant first) {
        queue.enqueueAll(IntStream.range(0, count)
                .mapToObj(i -> NewTodo.of(type, "p")
                        .key(queue.key(tenant, tenant + "-" + i))
                        .startAt(first.plusMillis(i)))
                .toList());
    }

    private int runsOf(String tenant) {
        return (int) ran.stream().filter(tenant::equals).count();
    }

    private void assertEqualTurns(List<String> tenants, int workers) {
        List<Integer> runs = tenants.stream().map(this::runsOf).toList();
        assertThat(ran.size()).as("%s", ran).isGreaterThanOrEqualTo(20);
        assertThat(runs.stream().mapToInt(each -> each).max().orElseThrow()
                        - runs.stream().mapToInt(each -> each).min().orElseThrow())
                .as("runs of %s: %s, %s", tenants, runs, ran)
                .isLessThanOrEqualTo(workers);
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 1", "4, 1", "2, 4", "4, 4", "2, 3", "2, 16"})
    void tenantsTakeTurns(int tenants, int workers) {
        queue(workers, queue -> queue);
        List<String> all = IntStream.range(0, tenants).mapToObj(i -> "t" + i).toList();
        Instant first = clock.now().plus(SECOND);
        all.forEach(each -> enqueue(each, 40 * workers / tenants, first));
        clock.advance(SECOND.multipliedBy(31));

        assertEqualTurns(all, workers);
    }

    @ParameterizedTest
    @CsvSource({"2", "3", "4"})
    void tenantsTakeTurnsAtRarePermits(int tenants) {
        run = Duration.ZERO;
        queue(4, queue -> queue.rateLimit(RateLimit.of(1, RUN)));
        List<String> all = IntStream.range(0, tenants).mapToObj(i -> "t" + i).toList();
        Instant first = clock.now().plus(SECOND);
        all.forEach(each -> enqueue(each, 40, first));
        clock.advance(SECOND.multipliedBy(31));

        assertEqualTurns(all, 1);
    }

    @ParameterizedTest
    @CsvSource({"1", "4"})
    void aTenantBehindALongBacklogGetsItsTurns(int workers) {
        queue(workers, queue -> queue);
        enqueue("big", LONG, clock.now());
        clock.advance(SECOND.multipliedBy(2));
        enqueue("small", 3, clock.now());
        clock.advance(SECOND.multipliedBy(30));

        assertThat(runsOf("small")).as("%s", ran).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "4, 0", "4, 500", "4, 2000", "16, 2000"})
    void tenantsWithLongBacklogsTakeTurns(int workers, int spreadMillis) {
        spread = spreadMillis;
        queue(workers, queue -> queue);
        enqueue("first", LONG, clock.now().plus(SECOND));
        enqueue("second", LONG, clock.now().plus(SECOND.multipliedBy(2)));
        enqueue("third", LONG, clock.now().plus(SECOND.multipliedBy(3)));
        clock.advance(SECOND.multipliedBy(60));

        assertThat(ran.size()).isGreaterThanOrEqualTo(15 * workers);
        assertShares();
    }

    /** Workers that end at the same time may run several todos of one tenant in its turn. */
    private void assertShares() {
        assertThat(List.of("first", "second", "third"))
                .allSatisfy(each ->
                        assertThat(runsOf(each)).as("%s in %s", each, ran).isBetween(ran.size() / 6, ran.size() / 2));
    }

    /** The buffer holds few todos of such a type. All of them may belong to the tenant with the oldest backlog. */
    @Test
    void tenantsWithLongBacklogsTakeTurnsAtRarePermitsOfAType() {
        run = Duration.ZERO;
        queue(
                4,
                queue -> queue.type(
                        "rare",
                        String.class,
                        (todo, attempt) -> {
                            ran.add(todo.key().tenantId());
                            return Outcome.complete();
                        },
                        type -> type.rateLimit(RateLimit.of(1, RUN))));
        type = "rare";
        enqueue("first", LONG, clock.now().plus(SECOND));
        enqueue("second", LONG, clock.now().plus(SECOND.multipliedBy(2)));
        enqueue("third", LONG, clock.now().plus(SECOND.multipliedBy(3)));
        clock.advance(SECOND.multipliedBy(90));

        assertThat(ran.size()).isGreaterThanOrEqualTo(50);
        assertShares();
    }

    @Test
    void aTodoThatWasReadAgainRunsOnce() {
        queue(1, queue -> queue);
        enqueue("a", 5, clock.now());
        enqueue("b", 5, clock.now());
        clock.advance(SECOND.multipliedBy(30));

        assertThat(ran).hasSize(10);
    }
}
