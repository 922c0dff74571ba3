package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.database.PostgresDatabases;
import dev.duetime.store.CollisionException;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rule that no call is lost on a PostgreSQL whose default isolation is SERIALIZABLE. */
class StrictPostgresTest {
    private static final Instant LATER = Instant.parse("2099-01-01T00:00:00Z");
    private static final int CALLERS = 6;
    private static final int CALLS = 25;

    private static PostgresDatabases databases;
    private static HikariDataSource pool;
    private static JdbcScheduleStore store;

    @BeforeAll
    static void open() {
        databases = new PostgresDatabases();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(databases.create());
        config.setMaximumPoolSize(8);
        config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        pool = new HikariDataSource(config);
        store = JdbcScheduleStore.of(pool);
    }

    @AfterAll
    static void close() {
        pool.close();
        databases.close();
    }

    /** Runs the call many times on several threads at once. An exception in one of them fails the test. */
    private static <T> List<T> many(Callable<T> call) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Callable<T>> calls = new ArrayList<>();
            for (int i = 0; i < CALLERS * CALLS; i++) {
                calls.add(call);
            }
            List<T> results = new ArrayList<>();
            for (Future<T> each : threads.invokeAll(calls)) {
                results.add(each.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void schedulesAndCancellationsOfOneKeyAllSucceed() throws Exception {
        Scheduler scheduler = Scheduler.builder().store(store).build();
        TimerKey key = TimerKey.of("contended");

        List<ScheduleResult> results = many(() -> {
            scheduler.cancel(key);
            return scheduler.schedule(
                    Timer.at(key, LATER).payload(System.nanoTime()).build());
        });

        assertThat(results)
                .extracting(ScheduleResult::outcome)
                .containsOnly(ScheduleOutcome.CREATED, ScheduleOutcome.RESCHEDULED);
    }

    @Test
    void mergesOfOneKeyAllSucceed() throws Exception {
        TodoQueue queue = TodoQueue.builder("merging")
                .type(
                        "add",
                        Integer.class,
                        (todo, run) -> Outcome.complete(),
                        type -> type.merge(Merge.collect(Integer::sum)))
                .enqueuesOnly()
                .build();
        Scheduler.builder().store(store).todoQueue(queue).build();

        many(() -> queue.enqueue(NewTodo.of("add", 1).correlationKey("k").startAfter(Duration.ofDays(1))));

        assertThat(store.correlated()
                        .waiting("merging", TimerKey.DEFAULT_TENANT, "k", "add")
                        .orElseThrow()
                        .content()
                        .payload()
                        .bytes())
                .asString()
                .isEqualTo(Integer.toString(CALLERS * CALLS));
    }

    @Test
    void aCallersSerializationFailureIsReported() throws SQLException {
        Scheduler scheduler = Scheduler.builder().store(store).build();
        TimerKey key = TimerKey.of("callers");
        scheduler.schedule(key, LATER, "before");
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(scheduler.in(JdbcTransaction.of(connection)).find(key)).isPresent();
            scheduler.schedule(key, LATER, "meanwhile");

            assertThatThrownBy(
                            () -> scheduler.in(JdbcTransaction.of(connection)).schedule(key, LATER, "callers"))
                    .isInstanceOf(CollisionException.class)
                    .hasMessageStartingWith("schedule default/callers failed");
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }
}
