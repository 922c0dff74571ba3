package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.listener.TimerListener;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.TodoQueue;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that handlers which hold transactions leave connections to the engine, with 16 workers and small pools. */
@Execution(ExecutionMode.CONCURRENT)
class HandlerTransactionsTest {
    /** Longer than a test: a loop that finds no connection fails the test. */
    private static final Duration LONGER_THAN_A_TEST = Duration.ofSeconds(60);

    private final FreshDatabases databases = Database.POSTGRESQL.open();
    private final String url = databases.create();
    private final CountDownLatch ended = new CountDownLatch(1);

    @AfterEach
    void close() {
        databases.close();
    }

    private HikariDataSource pool(int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(LONGER_THAN_A_TEST.toMillis());
        return new HikariDataSource(config);
    }

    private static TodoQueue.Builder queue(StepHandler<String> handler) {
        return TodoQueue.builder("work").type("job", String.class, handler);
    }

    private static List<NewTodo> todos(int count, int keys) {
        return IntStream.range(0, count)
                .mapToObj(i -> NewTodo.of("job", "p").id("todo-" + i).parallelKey("key-" + i % keys))
                .toList();
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(40, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 1", "4, 2", "5, 2", "10, 6", "100, 74"})
    void handlersMayHoldThreeQuartersOfTheRemainingPool(int connections, int most) {
        try (HikariDataSource pool = pool(connections)) {
            assertThat(JdbcScheduleStore.of(pool).mostTransactions()).hasValue(most);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 10})
    void aTimerIsDeliveredWhileAllHandlersWantATransaction(int connections) throws InterruptedException {
        CountDownLatch allWant = new CountDownLatch(16);
        CountDownLatch delivered = new CountDownLatch(1);
        TodoQueue queue = queue((todo, run) -> {
                    allWant.countDown();
                    run.transaction(JdbcTransaction.class).connection();
                    await(ended);
                    return Outcome.complete();
                })
                .build();
        try (HikariDataSource pool = pool(connections);
                Scheduler scheduler = Scheduler.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .publisher(batch -> delivered.countDown())
                        .todoQueue(queue)
                        .build()) {
            scheduler.start();
            queue.enqueueAll(todos(20, 20));
            await(allWant);

            scheduler.schedule(Timer.after("t", Duration.ZERO).build());
            assertThat(delivered.await(10, TimeUnit.SECONDS)).isTrue();
            ended.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 10})
    @SuppressWarnings("try") // The second close makes sure that nothing is in delivery when the states are read.
    void twoNodesRunEachKeyOneAtATimeAndNoTodoDies(int connections) throws Exception {
        Set<String> running = ConcurrentHashMap.newKeySet();
        AtomicInteger overlaps = new AtomicInteger();
        CountDownLatch runs = new CountDownLatch(200);
        StepHandler<String> handler = (todo, run) -> {
            String key = "key-" + Integer.parseInt(todo.id().substring(5)) % 40;
            if (!running.add(key)) {
                overlaps.incrementAndGet();
            }
            try (Statement statement =
                    run.transaction(JdbcTransaction.class).connection().createStatement()) {
                statement.execute("SELECT pg_sleep(0.05)");
            } finally {
                running.remove(key);
            }
            runs.countDown();
            return Outcome.complete();
        };
        TodoQueue one = queue(handler).build();
        TodoQueue two = queue(handler).build();
        try (HikariDataSource ones = pool(connections);
                HikariDataSource twos = pool(connections);
                Scheduler first = node(ones, one);
                Scheduler second = node(twos, two)) {
            first.start();
            second.start();
            one.enqueueAll(todos(200, 40));
            await(runs);
            first.close();
            second.close();
            assertThat(first.query(TimerQuery.all().state(TimerState.DEAD))).isEmpty();
        }
        assertThat(overlaps).hasValue(0);
    }

    private static Scheduler node(HikariDataSource pool, TodoQueue queue) {
        return Scheduler.builder()
                .store(JdbcScheduleStore.of(pool))
                .leaseDuration(Duration.ofSeconds(2))
                .todoQueue(queue)
                .build();
    }

    /** The only transaction that handlers may hold must not wait for a row that another transaction holds. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTodoWhoseRowIsHeldStopsNoOther(boolean joins) throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch otherRan = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        TodoQueue queue = queue((todo, run) -> {
                    attempts.accumulateAndGet(run.attempt(), Math::max);
                    if (todo.id().equals("held")) {
                        began.countDown();
                        await(isHeld);
                    }
                    if (joins) {
                        run.transaction(JdbcTransaction.class);
                    }
                    run.schedule(
                            Timer.after("by-" + todo.id(), Duration.ofDays(1)).build());
                    return Outcome.complete();
                })
                .build();
        try (HikariDataSource pool = pool(3);
                HikariDataSource holders = pool(1);
                Scheduler scheduler = Scheduler.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .todoQueue(queue)
                        .listener(new TimerListener() {
                            @Override
                            public void delivered(Envelope envelope) {
                                if (envelope.key().timerId().equals("other")) {
                                    otherRan.countDown();
                                }
                            }
                        })
                        .build()) {
            scheduler.start();
            queue.enqueue(NewTodo.of("job", "p").id("held"));
            await(began);
            try (Connection holder = holders.getConnection();
                    Statement statement = holder.createStatement()) {
                holder.setAutoCommit(false);
                statement.execute("SELECT 1 FROM timer_schedules WHERE timer_id = 'held' FOR UPDATE");
                isHeld.countDown();
                queue.enqueue(NewTodo.of("job", "p").id("other"));
                assertThat(otherRan.await(20, TimeUnit.SECONDS)).isTrue();
                awaitState(scheduler, queue, "other");
                holder.rollback();
            }
            awaitState(scheduler, queue, "held");
        }
        assertThat(attempts).hasValue(1);
    }

    private static void awaitState(Scheduler scheduler, TodoQueue queue, String id) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (System.nanoTime() < until
                && scheduler.find(queue.key(id)).orElseThrow().state() != TimerState.REACHED) {
            Thread.onSpinWait();
        }
        assertThat(scheduler.find(queue.key(id)).orElseThrow().state()).isEqualTo(TimerState.REACHED);
    }

    /** A handler that waits for its transaction has not failed. */
    @Test
    void aHandlerThatTimesOutBeforeItsTransactionSpendsNoAttempt() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch ran = new CountDownLatch(1);
        TodoQueue queue = queue((todo, run) -> {
                    if (todo.id().equals("holder")) {
                        run.transaction(JdbcTransaction.class);
                        began.countDown();
                        awaitUninterrupted(ended);
                    } else {
                        attempts.accumulateAndGet(run.attempt(), Math::max);
                        try {
                            run.transaction(JdbcTransaction.class);
                        } finally {
                            ended.countDown();
                        }
                        ran.countDown();
                    }
                    return Outcome.complete();
                })
                .timeLimit(Duration.ofMillis(300))
                .build();
        try (HikariDataSource pool = pool(3);
                Scheduler scheduler = node(pool, queue)) {
            scheduler.start();
            queue.enqueue(NewTodo.of("job", "p").id("holder"));
            await(began);
            queue.enqueue(NewTodo.of("job", "p").id("waiter"));
            await(ran);
        }
        assertThat(attempts).hasValue(1);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        boolean open = true;
        while (open) {
            try {
                open = !latch.await(40, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                open = true;
            }
        }
    }

    @Test
    void aNodeClosesWhileHandlersWaitForATransaction() throws SQLException, InterruptedException {
        CountDownLatch want = new CountDownLatch(4);
        TodoQueue queue = queue((todo, run) -> {
                    want.countDown();
                    run.transaction(JdbcTransaction.class);
                    await(ended);
                    return Outcome.complete();
                })
                .build();
        try (HikariDataSource pool = pool(3)) {
            Scheduler scheduler = Scheduler.builder()
                    .store(JdbcScheduleStore.of(pool))
                    .todoQueue(queue)
                    .closeTimeout(Duration.ofMillis(200))
                    .build();
            scheduler.start();
            queue.enqueueAll(todos(4, 4));
            await(want);
            long began = System.nanoTime();
            scheduler.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
            assertThat(scheduler.query(TimerQuery.all().state(TimerState.SCHEDULED)))
                    .hasSize(4)
                    .allSatisfy(each -> assertThat(each.attempt()).isZero());
        }
    }
}
