package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The rule that a todo with a parallel key does not wait for the backlogs of other keys, also while todos are enqueued
 * to these.
 */
class KeysBehindBacklogsTest {
    private static final Duration STEP = Duration.ofMillis(50);

    /** A store that takes time for each todo that a statement passes over. */
    private static final class Slow extends PassThroughStore {
        @Nullable
        TestClock clock;

        Slow() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers due = super.due(query);
            if (clock != null) {
                Instant last = due.timers().isEmpty()
                        ? null
                        : due.timers().get(due.timers().size() - 1).wakeAt();
                Instant to = due.more() && last != null ? last : query.now();
                DueQuery all = new DueQuery(query.queue(), query.shards(), query.from(), to, 1_000_000);
                clock.linger(Duration.ofNanos(10_000L * super.due(all).timers().size()));
            }
            return due;
        }
    }

    private final Random random = new Random(1);
    private final Slow store = new Slow();
    private final Map<String, Instant> ranAt = new HashMap<>();
    private final List<String> ran = new ArrayList<>();
    private @Nullable TimerKit opened;

    private TimerKit kit() {
        assertThat(opened).isNotNull();
        return opened;
    }

    private TodoQueue open() {
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    ranAt.put(todo.id(), kit().now());
                    ran.add(todo.id());
                    kit().clock().linger(Duration.ofMillis(10));
                    return Outcome.complete();
                })
                .workers(4)
                .build();
        opened = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.todoQueue(queue).batchSize(50))
                .build();
        return queue;
    }

    private static NewTodo todo(String tenant, String key, String id) {
        return NewTodo.of("job", "p").key(TimerKey.of(tenant, id)).parallelKey(key);
    }

    /** The backlogs lie one after another. Each tenant has one parallel key. */
    private void enqueueBacklogs(TodoQueue queue, int tenants, int count) {
        kit().scheduler().admin().pause("work");
        Instant begin = kit().now().minusSeconds(3_600);
        for (int i = 0; i < tenants * count; i++) {
            String tenant = "b" + i / count;
            queue.enqueue(todo(tenant, tenant, tenant + "#" + i).startAt(begin.plusMillis(i)));
        }
        kit().advance(Duration.ofSeconds(1));
        store.clock = kit().clock();
        kit().scheduler().admin().resume("work");
    }

    private void enqueueToBacklog(TodoQueue queue, int tenant, int i) {
        Instant startAt = kit().now().plusMillis(200 + random.nextInt(800));
        queue.enqueue(todo("b" + tenant, "b" + tenant, "b" + tenant + "#" + (1_000_000 + i))
                .startAt(startAt));
    }

    @Test
    void smallTenantsDoNotWaitWhileTodosAreEnqueuedToKeysWithBacklogs() {
        TodoQueue queue = open();
        try (TimerKit kit = kit()) {
            enqueueBacklogs(queue, 40, 200);
            Map<String, Instant> smallAt = new HashMap<>();
            for (int i = 0; i < 400; i++) {
                for (int j = 0; j < 3; j++) {
                    enqueueToBacklog(queue, random.nextInt(40), 3 * i + j);
                }
                if (i % 2 == 0) {
                    String tenant = "small-" + i % 10;
                    queue.enqueue(todo(tenant, tenant + "-" + i % 3, "s" + i));
                    smallAt.put("s" + i, kit.now());
                }
                kit.advance(STEP);
            }

            assertThat(ran).doesNotContain("b39#7999");
            Instant end = kit.now();
            Duration limit = Duration.ofSeconds(3);
            assertThat(smallAt)
                    .allSatisfy((id, at) -> assertThat(Duration.between(at, ranAt.getOrDefault(id, end)))
                            .as(id)
                            .isLessThan(limit));
        }
    }

    /** The looks see parts of these keys, and other looks find later todos of them. */
    @Test
    void todosOfKeysWithBacklogsKeepTheirOrder() {
        TodoQueue queue = open();
        try (TimerKit kit = kit()) {
            enqueueBacklogs(queue, 20, 400);
            for (int i = 0; i < 1_000; i++) {
                Instant startAt = kit.now().plusMillis(random.nextInt(15));
                String tenant = "b" + random.nextInt(20);
                queue.enqueue(
                        todo(tenant, tenant, tenant + "#" + (1_000_000 + i)).startAt(startAt));
                kit.advance(Duration.ofMillis(15));
            }
            kit.advance(Duration.ofMinutes(2));

            assertThat(ran).hasSize(9_000);
            Map<String, List<Integer>> byKey = new HashMap<>();
            ran.forEach(id -> byKey.computeIfAbsent(id.split("#", -1)[0], key -> new ArrayList<>())
                    .add(Integer.valueOf(id.split("#", -1)[1])));
            assertThat(byKey)
                    .allSatisfy((key, order) -> assertThat(order).as(key).isSorted());
        }
    }
}
