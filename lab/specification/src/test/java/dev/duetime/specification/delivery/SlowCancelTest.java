package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule that a call which waits long to cancel a due timer delays no other timer, however small a batch is. */
class SlowCancelTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ScheduleStore intact = new InMemoryScheduleStore(new TestClock());
    private final Map<String, Instant> ranAt = new HashMap<>();

    /** A store that takes ten seconds to cancel, as if another transaction held the row. */
    private ScheduleStore store() {
        return (ScheduleStore) Proxy.newProxyInstance(
                ScheduleStore.class.getClassLoader(),
                new Class<?>[] {ScheduleStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("cancel")) {
                        clock().linger(SECOND.multipliedBy(10));
                    }
                    try {
                        return method.invoke(intact, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private final TodoQueue queue = TodoQueue.builder("work")
            .type("job", String.class, (todo, run) -> {
                ranAt.put(todo.id(), now());
                return Outcome.complete();
            })
            .build();
    private final TimerKit kit = TimerKit.builder()
            .store(store())
            .configure(scheduler -> scheduler.batchSize(1).shards(1).todoQueue(queue))
            .build();

    private TestClock clock() {
        return kit.clock();
    }

    private Instant now() {
        return kit.now();
    }

    @Test
    void timersBehindItArePunctual() {
        Instant dueAt = kit.now().plus(SECOND);
        kit.scheduler().schedule(Timer.at("a", dueAt).build());
        kit.scheduler().schedule(Timer.at("b", dueAt.plusMillis(1)).build());

        kit.scheduler().cancel(TimerKey.of("a"));

        assertThat(kit).hasDeliveredCount(1);
        assertThat(kit.delivered("b").get(0).event().reachedAt()).isBefore(dueAt.plusMillis(100));
    }

    @Test
    void todosBehindItArePunctual() {
        Instant startAt = kit.now().plus(SECOND);
        queue.enqueue(NewTodo.of("job", "p").id("a").startAt(startAt));
        queue.enqueue(NewTodo.of("job", "p").id("b").startAt(startAt.plusMillis(1)));

        kit.scheduler().cancel(queue.key("a"));

        assertThat(ranAt).containsOnlyKeys("b");
        assertThat(ranAt.get("b")).isBefore(startAt.plusMillis(100));
    }
}
