package dev.duetime.specification.outage;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.LockedException;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rule that an outcome which waits for a row does not keep the loop busy while the store is away. */
class SetAsideInOutageTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ScheduleStore intact = new InMemoryScheduleStore(new TestClock());
    private Set<String> failing = Set.of();
    private boolean away;

    private ScheduleStore store() {
        return (ScheduleStore) Proxy.newProxyInstance(
                ScheduleStore.class.getClassLoader(),
                new Class<?>[] {ScheduleStore.class},
                (proxy, method, arguments) -> {
                    IOException cause = new IOException("away");
                    if (away && !method.getReturnType().isInterface()) {
                        throw new StoreException(method.getName(), "k", cause);
                    }
                    if (failing.contains(method.getName())) {
                        throw new LockedException("settle", "k", cause);
                    }
                    try {
                        return method.invoke(intact, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void theLoopWaitsUntilTheOutageHasPassed() {
        TimerKit kit = TimerKit.builder().store(store()).build();
        kit.scheduler().schedule(Timer.after("held", SECOND).build());
        failing = Set.of("settle", "settleUnlocked");
        kit.advance(SECOND.multipliedBy(2));
        away = true;
        kit.advance(SECOND.multipliedBy(20));
        away = false;
        failing = Set.of();
        kit.advance(SECOND.multipliedBy(20));

        assertThat(kit).hasDeliveredCount(1);
        assertThat(intact.find(TimerKey.of("held")).orElseThrow().state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void theLoopsOfATodoQueueWaitUntilTheOutageHasPassed() {
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> Outcome.complete())
                .build();
        TimerKit kit = TimerKit.builder()
                .store(store())
                .configure(scheduler -> scheduler.todoQueue(queue))
                .build();
        queue.enqueue(NewTodo.of("job", "held").id("held"));
        failing = Set.of("settle", "settleUnlocked");
        kit.advance(SECOND.multipliedBy(2));
        away = true;
        kit.advance(SECOND.multipliedBy(20));
        away = false;
        failing = Set.of();
        kit.advance(SECOND.multipliedBy(20));

        assertThat(intact.find(queue.key("held")).orElseThrow().state()).isEqualTo(TimerState.REACHED);
    }
}
