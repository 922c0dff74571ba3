package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerState;
import dev.duetime.store.CollisionException;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests of a todo whose outcome collides with another transaction each time, or loses its connection. */
class TodoCollisionTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int IN_A_ROW = 10;

    private final ScheduleStore intact = new InMemoryScheduleStore(new TestClock());
    private int collisions;
    private int losses;
    private boolean isLost;
    private int runs;

    private final TodoQueue queue = TodoQueue.builder("work")
            .type("job", String.class, (todo, run) -> {
                runs++;
                run.transaction(Transaction.class);
                run.schedule(Timer.after("later", Duration.ofDays(1)).build());
                return Outcome.complete();
            })
            .build();
    private final TimerKit kit = TimerKit.builder()
            .store(proxy(ScheduleStore.class, intact))
            .configure(scheduler -> scheduler.todoQueue(queue))
            .build();

    /** Passes all calls on, but lets the commit of a handler's transaction collide as often as wanted. */
    private <T> T proxy(Class<T> type, T target) {
        Object proxy = Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call(target, method, arguments));
        return type.cast(proxy);
    }

    private Object call(Object target, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("commit") && collisions > 0) {
            collisions--;
            throw new CollisionException("commit", "k", new IOException("deadlock"));
        }
        if (method.getName().equals("commit") && losses > 0) {
            losses--;
            isLost = true;
            throw new StoreException("commit", "k", new IOException("connection reset"));
        }
        if (method.getName().equals("isLost")) {
            return isLost;
        }
        try {
            Object result = method.invoke(target, arguments);
            return method.getName().equals("begin") && result instanceof OwnTransaction own
                    ? proxy(OwnTransaction.class, own)
                    : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private StoredTimer stored() {
        return intact.find(queue.key("a")).orElseThrow();
    }

    private void enqueueAndAdvance(int seconds) {
        queue.enqueue(NewTodo.of("job", "p").id("a"));
        kit.advance(SECOND.multipliedBy(seconds));
    }

    @Test
    void fewCollisionsInARowCostNoAttempt() {
        collisions = IN_A_ROW - 1;
        enqueueAndAdvance(60);

        assertThat(stored().state()).isEqualTo(TimerState.REACHED);
        assertThat(stored().attempt()).isEqualTo(1);
        assertThat(runs).isEqualTo(IN_A_ROW);
    }

    @Test
    void tenCollisionsInARowCostOneAttempt() {
        collisions = IN_A_ROW;
        enqueueAndAdvance(60);

        assertThat(stored().state()).isEqualTo(TimerState.REACHED);
        assertThat(stored().attempt()).isEqualTo(2);
    }

    @Test
    void fewLostConnectionsInARowCostNoAttempt() {
        losses = IN_A_ROW - 1;
        enqueueAndAdvance(60);

        assertThat(stored().state()).isEqualTo(TimerState.REACHED);
        assertThat(stored().attempt()).isEqualTo(1);
        assertThat(runs).isEqualTo(IN_A_ROW);
    }

    /** The handler itself may make the database end its connection. */
    @Test
    void tenLostConnectionsInARowCostOneAttempt() {
        losses = IN_A_ROW;
        enqueueAndAdvance(60);

        assertThat(stored().state()).isEqualTo(TimerState.REACHED);
        assertThat(stored().attempt()).isEqualTo(2);
    }

    @Test
    void aTodoThatAlwaysCollidesIsDeadInTheEnd() {
        collisions = Integer.MAX_VALUE;
        enqueueAndAdvance(3_600);

        assertThat(stored().state()).isEqualTo(TimerState.DEAD);
        assertThat(Objects.requireNonNull(stored().failure()).error()).contains("CollisionException");
        assertThat(runs).isEqualTo(10 * IN_A_ROW);
    }
}
