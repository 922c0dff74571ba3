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
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that tenants take turns, and urgent todos go first, also behind the backlog of a type with a limit. */
class TodoTurnsWithLimitsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Todos of a limited type that begin in a second. Ten seconds of a test run a tenth of the backlog. */
    private static final int RATE = 20;

    private static final int LONG = 500;

    private final List<String> ran = new ArrayList<>();

    /** How long a todo of the type without a limit runs. */
    private Duration slow = Duration.ZERO;

    @SuppressWarnings("NullAway") // each test begins with queue()
    private TodoQueue queue;

    @SuppressWarnings("NullAway") // likewise
    private TimerKit kit;

    private void queue() {
        UnaryOperator<TodoQueue.Builder> types = builder -> {
            TodoQueue.Builder all = builder;
            for (String type : List.of("job", "other")) {
                all = all.type(
                        type,
                        String.class,
                        (todo, run) -> handle(todo),
                        settings -> settings.rateLimit(RateLimit.perSecond(RATE)));
            }
            return all.type("free", String.class, (todo, run) -> handle(todo));
        };
        queue = types.apply(TodoQueue.builder("work")).workers(4).build();
        kit = TimerKit.builder()
                .configure(scheduler -> scheduler.todoQueue(queue).shards(4).batchSize(50))
                .build();
        kit.advance(Duration.ofSeconds(30));
    }

    @AfterEach
    void close() {
        kit.close();
    }

    private Outcome handle(Todo<String> todo) {
        ran.add(todo.key().timerId());
        if (todo.type().equals("free")) {
            kit.clock().linger(slow);
        }
        return Outcome.complete();
    }

    private void enqueue(String type, String tenant, int count, UnaryOperator<NewTodo> more) {
        Instant now = kit.now();
        queue.enqueueAll(IntStream.range(0, count)
                .mapToObj(i -> more.apply(NewTodo.of(type, "p")
                        .key(queue.key(tenant, tenant + " " + type + " " + i))
                        .startAt(now.minusSeconds(1).plusNanos(1_000L * i))))
                .toList());
        kit.advance(SECOND);
    }

    private List<String> ranOf(String prefix) {
        return ran.stream().filter(id -> id.startsWith(prefix)).toList();
    }

    @Test
    void aTenantBehindTheBacklogOfALimitedTypeGetsATurn() {
        queue();
        enqueue("job", "big", LONG, todo -> todo);
        enqueue("job", "small", 1, todo -> todo);
        kit.advance(SECOND);

        assertThat(ran).contains("small job 0");
    }

    @Test
    void tenantsWithBacklogsOfALimitedTypeShareItsPermits() {
        queue();
        enqueue("job", "big", LONG, todo -> todo);
        enqueue("job", "mid", LONG, todo -> todo);
        enqueue("job", "low", LONG, todo -> todo);
        int before = ran.size();
        kit.advance(SECOND.multipliedBy(10));

        int all = ran.size() - before;
        assertThat(all).isBetween(9 * RATE, 12 * RATE);
        assertThat(ranOf("mid").size()).isGreaterThan(all / 4);
        assertThat(ranOf("low").size()).isGreaterThan(all / 4);
    }

    @Test
    void manyTenantsBehindTheBacklogOfALimitedTypeGetTurns() {
        queue();
        enqueue("job", "big", LONG, todo -> todo);
        for (int i = 0; i < 60; i++) {
            enqueueNow("job", "small" + i);
        }
        kit.advance(SECOND.multipliedBy(8));

        assertThat(ranOf("small")).hasSize(60);
    }

    private void enqueueNow(String type, String tenant) {
        queue.enqueue(NewTodo.of(type, "p").key(queue.key(tenant, tenant)));
    }

    @Test
    void anUrgentTodoOfALimitedTypeGoesFirst() {
        queue();
        enqueue("job", "big", LONG, todo -> todo);
        queue.enqueue(NewTodo.of("job", "p").key(queue.key("big", "urgent")).priority(5));
        kit.advance(SECOND);

        assertThat(ran).contains("urgent");
    }

    @Test
    void eachOfSeveralLimitedTypesHasItsTurns() {
        queue();
        enqueue("job", "big", LONG, todo -> todo);
        enqueue("other", "huge", LONG, todo -> todo);
        enqueue("job", "small", 1, todo -> todo);
        enqueue("other", "tiny", 1, todo -> todo);
        kit.advance(SECOND);

        assertThat(ran).contains("small job 0", "tiny other 0");
    }

    @Test
    void turnsAreTakenWhileAnotherTypeFillsTheBuffer() {
        queue();
        enqueue("job", "big", LONG, todo -> todo);
        slow = Duration.ofMillis(20);
        enqueue("free", "huge", 2 * LONG, todo -> todo);
        enqueue("job", "small", 1, todo -> todo);
        kit.advance(SECOND.multipliedBy(2));

        assertThat(ran).contains("small job 0").doesNotContain("huge free " + (2 * LONG - 1));
    }

    /** The todo of its key that comes first belongs to a tenant that such a read leaves out. */
    @Test
    void aTodoWithAParallelKeyWaitsForItsPlace() {
        queue();
        enqueue("job", "big", RATE * 8, todo -> todo);
        enqueue("job", "one", 1, todo -> todo);
        queue.enqueue(NewTodo.of("job", "p").key(queue.key("big", "first")).parallelKey("k"));
        kit.advance(Duration.ofMillis(1));
        queue.enqueue(NewTodo.of("job", "p").key(queue.key("small", "second")).parallelKey("k"));
        kit.advance(Duration.ofMinutes(1));

        assertThat(ran).containsSubsequence("first", "second").hasSize(RATE * 8 + 3);
    }
}
