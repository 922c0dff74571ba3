package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RateLimit;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.Todo;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of limits that hold for the todos of all nodes together. */
class TodoClusterLimitTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** A run that began. */
    private record Began(Instant at, String id, String type, String tenant, int attempt) {}

    private final List<Began> began = new ArrayList<>();
    private final Map<String, Integer> running = new HashMap<>();
    private final Map<String, Integer> mostRunning = new HashMap<>();
    private Duration each = Duration.ZERO;

    @SuppressWarnings("NullAway") // each test begins with nodes()
    private TimerKit kit;

    @SuppressWarnings("NullAway") // likewise
    private TodoQueue queue;

    private void nodes(int nodes, UnaryOperator<TodoQueue.Builder> settings) {
        List<TodoQueue> queues = new ArrayList<>();
        kit = TimerKit.builder()
                .nodes(nodes)
                .configure(scheduler -> {
                    TodoQueue one = settings.apply(TodoQueue.builder("work")
                                    .type("job", String.class, (todo, run) -> handle("job", todo)))
                            .workers(10)
                            .build();
                    queues.add(one);
                    scheduler
                            .shards(12)
                            .leaseDuration(Duration.ofSeconds(10))
                            .batchSize(20)
                            .todoQueue(one);
                })
                .build();
        queue = queues.get(0);
        kit.advance(Duration.ofSeconds(30));
    }

    @AfterEach
    void close() {
        kit.close();
    }

    private Outcome handle(String type, Todo<String> todo) {
        began.add(new Began(kit.now(), todo.id(), type, todo.key().tenantId(), todo.attempts() + 1));
        String key = todo.payload();
        changed("all", 1);
        changed(key, 1);
        kit.clock().linger(each);
        changed("all", -1);
        changed(key, -1);
        return Outcome.complete();
    }

    private void changed(String key, int by) {
        int now = running.merge(key, by, Integer::sum);
        mostRunning.merge(key, now, Math::max);
    }

    private void enqueue(String type, int count, String prefix, UnaryOperator<NewTodo> more) {
        queue.enqueueAll(IntStream.range(0, count)
                .mapToObj(i -> more.apply(NewTodo.of(type, prefix).id(prefix + i)))
                .toList());
    }

    private void enqueueOf(String tenant, int count) {
        queue.enqueueAll(IntStream.range(0, count)
                .mapToObj(i -> NewTodo.of("job", tenant).key(queue.key(tenant, tenant + i)))
                .toList());
    }

    private void assertRunOnce(int count) {
        assertThat(began)
                .hasSize(count)
                .allSatisfy(one -> assertThat(one.attempt()).isEqualTo(1));
        assertThat(began).extracting(Began::id).doesNotHaveDuplicates();
    }

    private void assertWithin(RateLimit limit, List<Began> some) {
        double perNano = (double) limit.permits() / limit.period().toNanos();
        double level = 0;
        Instant last = Instant.EPOCH;
        for (Began one : some) {
            level = Math.max(0, level - Duration.between(last, one.at()).toNanos() * perNano) + 1;
            last = one.at();
            assertThat(level).as("runs at %s", one).isLessThanOrEqualTo(limit.burst() + 0.01);
        }
    }

    private List<Began> ofType(String type) {
        return began.stream().filter(one -> one.type().equals(type)).toList();
    }

    @Test
    void noMoreTodosRunThanTheQueueAllows() {
        nodes(3, builder -> builder.concurrencyLimit(6));
        each = Duration.ofMillis(50);
        enqueue("job", 300, "t", todo -> todo);
        kit.advance(Duration.ofMinutes(2));

        assertThat(mostRunning).containsEntry("all", 6);
        assertRunOnce(300);
    }

    @Test
    void aRateHoldsInEachWindowAndIsUsedToNineTenths() {
        RateLimit limit = RateLimit.perSecond(40);
        nodes(3, builder -> builder.rateLimit(limit));
        enqueue("job", 1_500, "t", todo -> todo);
        kit.advance(SECOND.multipliedBy(20));

        assertWithin(limit, began);
        assertThat(began.size()).isGreaterThan(18 * 40);
        kit.advance(SECOND.multipliedBy(30));
        assertRunOnce(1_500);
    }

    @Test
    void aLimitedTypeWithABacklogHoldsUpNoOther() {
        RateLimit limit = RateLimit.perSecond(2);
        nodes(
                2,
                builder -> builder.type(
                        "slow", String.class, (todo, run) -> handle("slow", todo), type -> type.rateLimit(limit)));
        enqueue("slow", 1_000, "s", todo -> todo);
        kit.advance(SECOND);
        Instant from = kit.now();
        enqueue("job", 200, "f", todo -> todo);
        kit.advance(SECOND.multipliedBy(10));

        assertThat(ofType("job"))
                .hasSize(200)
                .allSatisfy(one -> assertThat(one.at()).isBefore(from.plusSeconds(2)));
        assertWithin(limit, ofType("slow"));
        assertThat(ofType("slow").size()).isBetween(18, 24);
    }

    @Test
    void aTypeWithAConcurrencyLimitHoldsUpNoOther() {
        nodes(
                2,
                builder -> builder.type(
                        "slow", String.class, (todo, run) -> handle("slow", todo), type -> type.concurrencyLimit(2)));
        each = Duration.ofMillis(20);
        enqueue("slow", 300, "s", todo -> todo);
        enqueue("job", 100, "f", todo -> todo);
        kit.advance(Duration.ofMinutes(3));

        assertThat(mostRunning.get("s")).isEqualTo(2);
        assertThat(mostRunning.get("f")).isGreaterThan(4);
        assertRunOnce(400);
    }

    @Test
    void eachTenantHasTheRateForItself() {
        RateLimit limit = RateLimit.perSecond(5);
        nodes(2, builder -> builder.tenantRateLimit(limit));
        enqueueOf("big", 500);
        kit.advance(SECOND);
        Instant from = kit.now();
        enqueueOf("small", 4);
        kit.advance(SECOND.multipliedBy(10));

        List<Began> big =
                began.stream().filter(one -> one.tenant().equals("big")).toList();
        assertWithin(limit, big);
        assertThat(big.size()).isBetween(49, 61);
        assertThat(began.stream().filter(one -> one.tenant().equals("small")))
                .hasSize(4)
                .allSatisfy(one -> assertThat(one.at()).isBefore(from.plusSeconds(3)));
    }

    @Test
    void asManyTodosOfAKeyRunAtOnceAsAreAllowed() {
        nodes(2, builder -> builder.parallelKeyLimit(3));
        each = Duration.ofMillis(50);
        enqueue("job", 60, "k", todo -> todo.parallelKey("k"));
        enqueue("job", 60, "l", todo -> todo.parallelKey("l"));
        kit.advance(Duration.ofMinutes(1));

        assertThat(mostRunning.get("k")).isEqualTo(3);
        assertThat(mostRunning.get("l")).isEqualTo(3);
        assertRunOnce(120);
    }

    @Test
    void oneTodoOfAKeyAtATimeIsTheDefault() {
        nodes(2, builder -> builder);
        each = Duration.ofMillis(50);
        enqueue("job", 20, "k", todo -> todo.parallelKey("k"));
        kit.advance(Duration.ofMinutes(1));

        assertThat(mostRunning.get("k")).isEqualTo(1);
        assertRunOnce(20);
    }

    @Test
    void aPausedQueueTakesNothingFromARate() {
        RateLimit limit = RateLimit.perSecond(5);
        nodes(2, builder -> builder.rateLimit(limit));
        enqueue("job", 100, "t", todo -> todo);
        kit.advance(SECOND.multipliedBy(2));
        kit.scheduler().admin().pause("work");
        kit.advance(Duration.ofMinutes(1));
        int before = began.size();
        kit.scheduler().admin().resume("work");
        kit.advance(SECOND.multipliedBy(40));

        assertThat(before).isBetween(9, 16);
        assertWithin(limit, began);
        assertRunOnce(100);
    }
}
