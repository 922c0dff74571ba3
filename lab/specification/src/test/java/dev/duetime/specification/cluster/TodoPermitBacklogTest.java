package dev.duetime.specification.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.testkit.TestClock;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a long backlog of todos that wait for permits holds up no other todo, although each read that leaves it
 * out passes over it.
 */
class TodoPermitBacklogTest {
    private static final int LONG = 5_000;
    private static final int SHORT = 2_000;
    private static final Duration PASSES_BACKLOG = Duration.ofMillis(100);

    private static final Duration TIME = Duration.ofSeconds(10);
    private static final int OTHERS = 200;

    private final TestClock clock = new TestClock();
    private final List<Duration> lateness = new ArrayList<>();
    private int ofBacklog;

    /** How many todos wait. A read that passes all of them takes 100 ms here. */
    private int length = LONG;

    /** How long each of them runs. */
    private Duration run = Duration.ZERO;

    @SuppressWarnings("NullAway") // each test begins with queue()
    private PassedRows store;

    @SuppressWarnings("NullAway") // likewise
    private Scheduler scheduler;

    @SuppressWarnings("NullAway") // likewise
    private TodoQueue queue;

    private void queue(UnaryOperator<TodoQueue.Builder> limits) {
        queue = limits.apply(TodoQueue.builder("work").type("job", String.class, (todo, run) -> handle(todo)))
                .workers(8)
                .build();
        store = new PassedRows(clock, PASSES_BACKLOG.dividedBy(length));
        scheduler = Scheduler.builder()
                .store(store)
                .clock(clock)
                .shards(4)
                .batchSize(50)
                .todoQueue(queue)
                .build();
        scheduler.start();
        clock.advance(Duration.ofSeconds(1));
    }

    private Outcome handle(Todo<String> todo) {
        if (todo.payload().equals("other")) {
            lateness.add(Duration.between(todo.startAt(), clock.now()));
        } else {
            ofBacklog++;
            clock.linger(run);
        }
        return Outcome.complete();
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    private void backlog(String type, UnaryOperator<NewTodo> more) {
        Instant first = clock.now().minusSeconds(60);
        queue.enqueueAll(IntStream.range(0, length)
                .mapToObj(i -> more.apply(NewTodo.of(type, "backlog")
                        .key(queue.key("big", "b" + i))
                        .startAt(first.plusMillis(i))))
                .toList());
    }

    /** Lets todos of others become due, every 50 ms. */
    private void others() {
        others("job", "other", todo -> todo);
    }

    private void others(UnaryOperator<NewTodo> more) {
        others("job", "other", more);
    }

    private void others(String type, String tenant) {
        others(type, tenant, todo -> todo);
    }

    private void others(String type, String tenant, UnaryOperator<NewTodo> more) {
        Instant first = clock.now().plusMillis(30);
        queue.enqueueAll(IntStream.range(0, OTHERS)
                .mapToObj(i -> more.apply(NewTodo.of(type, "other")
                        .key(queue.key(tenant, "o" + i))
                        .startAt(first.plusMillis(50L * i))))
                .toList());
        clock.advance(TIME);
    }

    /** Checks how late others are, and that the reads pass over the backlog a bounded number of times. */
    private void assertPrompt() {
        List<Duration> sorted = lateness.stream().sorted().toList();
        assertThat(sorted).hasSizeGreaterThan(OTHERS - 10);
        assertThat(sorted.get(sorted.size() / 2)).isLessThan(Duration.ofMillis(15));
        assertThat(sorted.get(sorted.size() * 95 / 100)).isLessThan(Duration.ofMillis(130));
        assertThat(store.takePassed()).isLessThan(25L * length);
    }

    @Test
    void aTypeWithARateHoldsUpNoOther() {
        queue(builder -> builder.type(
                "slow", String.class, (todo, run) -> handle(todo), type -> type.rateLimit(RateLimit.perSecond(50))));
        backlog("slow", todo -> todo);
        others();

        assertPrompt();
        assertThat(ofBacklog).isBetween(450, 560);
    }

    @Test
    void aTypeWithARateHoldsUpNoTodoOfAnotherParallelKey() {
        queue(builder -> builder.type(
                "slow", String.class, (todo, run) -> handle(todo), type -> type.rateLimit(RateLimit.perSecond(50))));
        store.eachRead(Duration.ofMillis(1));
        backlog("slow", todo -> todo);
        // The first one waits until the whole backlog was read.
        queue.enqueue(
                NewTodo.of("job", "other").key(queue.key("other", "first")).parallelKey("k"));
        clock.advance(Duration.ofSeconds(4));
        assertThat(lateness).hasSize(1);
        lateness.clear();
        ofBacklog = 0;
        store.takePassed();
        store.takeReads();
        int[] next = {0};
        others(todo -> todo.parallelKey("k" + next[0]++));

        assertPrompt();
        assertThat(ofBacklog).isBetween(450, 560);
        assertThat(store.takeReads()).isLessThan(TIME.toMillis() / 3);
    }

    @Test
    void aTenantWithARateHoldsUpNoOther() {
        queue(builder -> builder.tenantRateLimit(RateLimit.perSecond(50)));
        backlog("job", todo -> todo);
        others();

        assertPrompt();
        assertThat(ofBacklog).isBetween(450, 560);
    }

    @Test
    void aTypeWithAConcurrencyLimitHoldsUpNoOther() {
        length = SHORT;
        run = Duration.ofMillis(20);
        queue(builder ->
                builder.type("slow", String.class, (todo, ignored) -> handle(todo), type -> type.concurrencyLimit(1)));
        backlog("slow", todo -> todo);
        others();

        assertPrompt();
        assertThat(ofBacklog).isGreaterThan(100);
    }

    @Test
    void aParallelKeyHoldsUpNoOther() {
        length = SHORT;
        run = Duration.ofMillis(20);
        queue(builder -> builder.parallelKeyLimit(2));
        backlog("job", todo -> todo.parallelKey("k"));
        others();

        assertPrompt();
        assertThat(ofBacklog).isGreaterThan(100);
    }

    /** The limit is never reached: the todos wait for the runs of their key only. */
    @Test
    void aSlowParallelKeyHoldsUpNoOtherOfItsLimitedType() {
        length = SHORT;
        run = Duration.ofMillis(20);
        queue(builder ->
                builder.type("slow", String.class, (todo, ignored) -> handle(todo), type -> type.concurrencyLimit(6)));
        backlog("slow", todo -> todo.parallelKey("k"));
        others("slow", "other");

        assertPrompt();
        assertThat(ofBacklog).isGreaterThan(100);
    }

    @Test
    void aSlowParallelKeyHoldsUpNoOtherOfItsTenantWithARate() {
        length = SHORT;
        run = Duration.ofMillis(20);
        queue(builder -> builder.tenantRateLimit(RateLimit.perSecond(100).burst(20)));
        backlog("job", todo -> todo.parallelKey("k"));
        others("job", "big");

        assertPrompt();
        assertThat(ofBacklog).isGreaterThan(100);
    }

    @Test
    void manySlowParallelKeysHoldUpNoOtherOfTheirLimitedType() {
        length = 2 * SHORT;
        run = Duration.ofMillis(20);
        queue(builder ->
                builder.type("slow", String.class, (todo, ignored) -> handle(todo), type -> type.concurrencyLimit(8)));
        AtomicInteger next = new AtomicInteger();
        backlog("slow", todo -> todo.parallelKey("k" + next.getAndIncrement() % 6));
        others("slow", "other");

        assertThat(lateness)
                .hasSizeGreaterThan(OTHERS - 10)
                .allSatisfy(each -> assertThat(each).isLessThan(Duration.ofMillis(500)));
        assertThat(ofBacklog).isGreaterThan(240);
    }
}
