package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a todo spends no attempt if the database ends the connection of its transaction. */
@Execution(ExecutionMode.CONCURRENT)
class LostHandlerConnectionTest {
    private final List<Integer> attempts = new CopyOnWriteArrayList<>();
    private final CountDownLatch runs = new CountDownLatch(2);

    private void run(Database kind, StepHandler<String> handler) throws InterruptedException {
        TodoQueue queue =
                TodoQueue.builder("work").type("job", String.class, handler).build();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                Scheduler scheduler = Scheduler.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .todoQueue(queue)
                        .build()) {
            scheduler.start();
            queue.enqueue(NewTodo.of("job", "p").id("t"));
            assertThat(runs.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private void began(TodoRun run) {
        attempts.add(run.attempt());
        runs.countDown();
    }

    private static void end(Database kind, Connection victim) throws SQLException {
        boolean postgres = kind == Database.POSTGRESQL;
        try (Statement asks = victim.createStatement();
                ResultSet id = asks.executeQuery(postgres ? "SELECT pg_backend_pid()" : "SELECT connection_id()")) {
            id.next();
            String end = (postgres ? "SELECT pg_terminate_backend(%d)" : "KILL CONNECTION %d").formatted(id.getInt(1));
            try (Statement ends = victim.createStatement()) {
                ends.execute(end);
            } catch (SQLException e) {
                // The connection that ends itself gets no answer.
            }
        }
    }

    /** The connection is lost before a statement of the handler, or before the outcome is written. */
    @ParameterizedTest
    @CsvSource({"POSTGRESQL,true", "POSTGRESQL,false", "MARIADB,true", "MARIADB,false"})
    void aLostConnectionSpendsNoAttempt(Database kind, boolean inHandler) throws InterruptedException {
        run(kind, (todo, run) -> {
            began(run);
            Connection connection = run.transaction(JdbcTransaction.class).connection();
            if (attempts.size() == 1) {
                end(kind, connection);
                if (inHandler) {
                    connection.createStatement().execute("SELECT 1");
                }
            }
            return Outcome.complete();
        });
        assertThat(attempts).containsExactly(1, 1);
    }

    /** A handler that fails for its own reason spends an attempt, though its transaction was aborted. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aFailedStatementSpendsAnAttempt(Database kind) throws InterruptedException {
        run(kind, (todo, run) -> {
            began(run);
            String sql = attempts.size() == 1 ? "SELECT nothing FROM nowhere" : "SELECT 1";
            run.transaction(JdbcTransaction.class)
                    .connection()
                    .createStatement()
                    .execute(sql);
            return Outcome.complete();
        });
        assertThat(attempts).containsExactly(1, 2);
    }
}
