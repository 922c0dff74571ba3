package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.store.CollisionException;
import dev.duetime.store.Correlated;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.RefusedException;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The rule that an outcome which waits for a correlation key that another transaction holds keeps no worker, and is
 * written when the key is free.
 */
class KeptOutcomeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** What lets the lock of a key fail. */
    private final Map<String, StoreException> held = new HashMap<>();

    private final List<String> ran = new ArrayList<>();
    private final List<Integer> sums = new ArrayList<>();
    private final Map<String, Outcome> outcomes = new HashMap<>();
    private @Nullable RuntimeException mergeFails;
    private @Nullable StoreException commitFails;

    private final Map<String, Integer> tries = new HashMap<>();
    private final ScheduleStore intact = new InMemoryScheduleStore(new TestClock());
    private final TodoQueue likes = TodoQueue.builder("likes")
            .type(
                    "count",
                    Integer.class,
                    (todo, run) -> {
                        sums.add(todo.payload());
                        return Outcome.complete();
                    },
                    type -> type.merge(Merge.collect(this::sum)))
            .build();
    private final TodoQueue work = TodoQueue.builder("work")
            .type(
                    "job",
                    String.class,
                    (todo, run) -> {
                        ran.add(todo.id());
                        if (todo.id().startsWith("joined")) {
                            run.transaction(Transaction.class);
                        }
                        for (String key : todo.payload().split(",", -1)) {
                            likes.enqueue(like(key), run);
                        }
                        return outcomes.getOrDefault(todo.id(), Outcome.complete());
                    },
                    type -> type.retry(
                            RetryPolicy.fixed(SECOND.multipliedBy(10)).maxAttempts(3)))
            .type("large", String.class, (todo, run) -> {
                ran.add(todo.id());
                likes.enqueue(like("a"), run);
                return Outcome.complete();
            })
            .workers(2)
            .build();
    private final TimerKit kit = TimerKit.builder()
            .store(proxy(ScheduleStore.class, intact))
            .configure(scheduler ->
                    scheduler.todoQueue(likes).todoQueue(work).queue("likes", queue -> queue.retention(Duration.ZERO)))
            .build();

    private int sum(int one, int other) {
        if (mergeFails != null) {
            throw mergeFails;
        }
        return one + other;
    }

    private static NewTodo like(String key) {
        return NewTodo.of("count", 1).correlationKey(key).startAfter(Duration.ofHours(1));
    }

    /** Passes all calls on, but lets locks and commits fail. */
    private <T> T proxy(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call(target, method, arguments)));
    }

    private Object call(Object target, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("lock") && target instanceof Correlated) {
            for (Object key : (Collection<?>) arguments[1]) {
                tries.merge((String) key, 1, Integer::sum);
                StoreException fails = held.get(key);
                if (fails != null) {
                    throw fails;
                }
            }
        }
        Object result;
        try {
            result = method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (method.getName().equals("commit") && commitFails != null) {
            StoreException fails = commitFails;
            commitFails = null;
            throw fails;
        }
        return switch (method.getName()) {
            case "begin" -> proxy(OwnTransaction.class, result);
            case "writes" -> proxy(TimerWrites.class, result);
            case "correlated" -> proxy(Correlated.class, result);
            default -> result;
        };
    }

    private static StoreException waited() {
        return new CollisionException("lock", "k", new IOException("lock timeout"), true);
    }

    private void enqueue(String id, String keys) {
        work.enqueue(NewTodo.of("job", keys).id(id));
        kit.advance(Duration.ofMillis(10));
    }

    private StoredTimer stored(String id) {
        return intact.find(work.key(id)).orElseThrow();
    }

    private int inDelivery() {
        return kit.scheduler().admin().health().queues().stream()
                .mapToInt(each -> each.inDelivery())
                .sum();
    }

    private void assertLikes(Integer... expected) {
        kit.advance(Duration.ofHours(2));
        assertThat(sums).containsExactlyInAnyOrder(expected);
    }

    @Test
    void theyAreWrittenWhenTheKeyIsFreeAndTheirHandlersRunOnce() {
        held.put("a", waited());
        for (int i = 0; i < 20; i++) {
            enqueue("t" + i, "a");
        }
        enqueue("other", "b");

        assertThat(ran).hasSize(21);
        assertThat(stored("other").state()).isEqualTo(TimerState.REACHED);
        kit.advance(SECOND.multipliedBy(60));
        assertThat(ran).hasSize(21);
        // One try a pass, after one by a worker in five seconds.
        assertThat(tries.get("a")).isLessThan(60);

        held.clear();
        kit.advance(SECOND.multipliedBy(3));

        assertThat(stored("t0").state()).isEqualTo(TimerState.REACHED);
        assertThat(stored("t19").attempt()).isEqualTo(1);
        assertThat(inDelivery()).isZero();
        assertLikes(20, 1);
        assertThat(ran).hasSize(21);
    }

    /** Such an outcome has two steps: the payload, and then the end. */
    @Test
    void anOutcomeOfTwoStepsIsWrittenAsWell() {
        outcomes.put("t", Outcome.giveUp("enough").with("a"));
        held.put("a", waited());
        enqueue("t", "a");
        kit.advance(SECOND.multipliedBy(5));
        assertThat(stored("t").state()).isEqualTo(TimerState.SCHEDULED);

        held.clear();
        kit.advance(SECOND.multipliedBy(3));

        assertThat(stored("t").state()).isEqualTo(TimerState.DEAD);
        assertThat(inDelivery()).isZero();
        assertThat(ran).hasSize(1);
        assertLikes(1);
    }

    /** Nobody holds the key that they need, but an outcome that needs another one as well is kept. */
    @Test
    void aHandlerThatJoinedIsNotHeldUpByAKeyThatIsFree() {
        held.put("a", waited());
        enqueue("t", "a,b");
        enqueue("joined", "b");
        assertThat(stored("joined").state()).isEqualTo(TimerState.REACHED);

        kit.advance(SECOND.multipliedBy(20));
        enqueue("joined-later", "b");
        assertThat(stored("joined-later").state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void aHandlerThatJoinedRunsAgainWithoutACountedAttempt() {
        held.put("a", waited());
        enqueue("joined", "a");
        kit.advance(SECOND.multipliedBy(20));
        assertThat(ran).hasSizeBetween(3, 8);

        held.clear();
        kit.advance(SECOND.multipliedBy(40));

        assertThat(stored("joined").state()).isEqualTo(TimerState.REACHED);
        assertThat(stored("joined").attempt()).isEqualTo(1);
    }

    /** A hundred of them with a held key would otherwise keep all workers from what runs once. */
    @Test
    void handlersThatJoinedRunAgainLessAndLess() {
        held.put("a", waited());
        enqueue("joined", "a");
        kit.advance(Duration.ofMinutes(2));

        assertThat(ran).hasSizeLessThan(10);
        assertThat(stored("joined").attempt()).isZero();
    }

    /** The payload of the todo that ran is in its row, and not in memory. */
    @Test
    void whatIsNotWrittenTakesNoMemory() {
        held.put("a", waited());
        String large = "a," + "b".repeat(900_000);
        for (int i = 0; i < 100; i++) {
            work.enqueue(NewTodo.of("large", large).id("t" + i));
            kit.advance(Duration.ofMillis(10));
        }
        enqueue("other", "b");

        assertThat(ran).hasSize(101);
        assertThat(stored("other").state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void aMergeThatThrowsIsAFailedAttempt() {
        likes.enqueue(like("a"));
        held.put("a", waited());
        enqueue("t", "a");
        held.clear();
        mergeFails = new IllegalStateException("no");
        kit.advance(SECOND.multipliedBy(5));

        assertThat(stored("t").attempt()).isEqualTo(1);
        assertThat(Objects.requireNonNull(stored("t").failure()).error()).contains("no");

        mergeFails = null;
        kit.advance(SECOND.multipliedBy(20));

        assertThat(stored("t").state()).isEqualTo(TimerState.REACHED);
        assertThat(ran).hasSize(2);
        assertLikes(2);
    }

    @Test
    void whatTheDatabaseRefusesIsAFailedAttempt() {
        held.put("a", waited());
        enqueue("t", "a");
        held.put("a", new RefusedException("schedule", "k", new IOException("trigger")));
        kit.advance(SECOND.multipliedBy(5));

        assertThat(stored("t").attempt()).isEqualTo(1);
        assertThat(inDelivery()).isZero();
    }

    @Test
    void collisionsThatAreNoWaitAreAFailedAttemptInTheEnd() {
        held.put("a", waited());
        enqueue("t", "a");
        held.put("a", new CollisionException("schedule", "k", new IOException("unique")));
        kit.advance(SECOND.multipliedBy(30));

        assertThat(stored("t").attempt()).isEqualTo(1);
    }

    /** The generation of a todo that waits for its retry is the same as before, and no row remembers the merge. */
    @Test
    void aLostReplyMergesOnce() {
        likes.enqueue(like("a"));
        outcomes.put("t", Outcome.retry(new IllegalStateException("later")));
        held.put("a", waited());
        enqueue("t", "a");
        held.clear();
        commitFails = new StoreException("commit", "k", new IOException("connection reset"));
        kit.advance(SECOND.multipliedBy(5));

        assertThat(stored("t").attempt()).isEqualTo(1);
        outcomes.clear();
        kit.advance(SECOND.multipliedBy(20));
        assertThat(ran).hasSize(2);
        assertLikes(3);
    }

    @Test
    void aNodeThatClosesTriesOnceMore() {
        held.put("a", waited());
        held.put("b", waited());
        enqueue("first", "a");
        enqueue("second", "b");
        held.remove("b");

        kit.node(0).close();

        assertThat(stored("first").state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(stored("second").state()).isEqualTo(TimerState.REACHED);
    }
}
