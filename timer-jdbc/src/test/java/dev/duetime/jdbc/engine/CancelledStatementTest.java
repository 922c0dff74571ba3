package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.PostgresDatabases;
import dev.duetime.store.CollisionException;
import dev.duetime.store.LockedException;
import dev.duetime.store.Settlement;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The rule that no call is lost when PostgreSQL takes the end of a wait for a cancellation. It does so when a statement
 * gets a lock just when its wait is over, and then waits for another lock.
 */
class CancelledStatementTest {
    private static final Instant LATER = Instant.parse("2099-01-01T00:00:00Z");
    private static final TimerKey KEY = TimerKey.of("cancelled");

    private PostgresDatabases databases;
    private HikariDataSource pool;
    private JdbcScheduleStore store;
    private Scheduler scheduler;

    @BeforeEach
    void open() {
        databases = new PostgresDatabases();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(databases.create());
        config.setMaximumPoolSize(3);
        pool = new HikariDataSource(config);
        store = JdbcScheduleStore.of(pool);
        scheduler = Scheduler.builder().store(store).build();
    }

    @AfterEach
    void close() {
        pool.close();
        databases.close();
    }

    private void cancelTries(int tries) throws SQLException {
        cancelTries("INSERT", tries);
    }

    private void cancelTries(String write, int tries) throws SQLException {
        interrupt(write, tries, "PERFORM pg_cancel_backend(pg_backend_pid()); PERFORM pg_sleep(60)");
    }

    /** A sequence counts also what is rolled back, so that the trigger knows which try it is. */
    private void interrupt(String write, int tries, String action) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SEQUENCE tries");
            statement.execute("""
                    CREATE FUNCTION cancel_this() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                      IF nextval('tries') <= %d THEN
                        %s;
                      END IF;
                      RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
                    END $$""".formatted(tries, action));
            statement.execute("""
                    CREATE TRIGGER cancelling BEFORE %s ON timer_schedules
                    FOR EACH ROW EXECUTE FUNCTION cancel_this()""".formatted(write));
        }
    }

    /** A pool of a login whose statements may take that long. */
    private HikariDataSource limited(int millis) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(pool.getJdbcUrl());
        config.addDataSourceProperty("options", "-c statement_timeout=" + millis);
        config.setMaximumPoolSize(3);
        return new HikariDataSource(config);
    }

    private static void scheduleOn(HikariDataSource limited) {
        Scheduler.builder()
                .store(JdbcScheduleStore.builder(limited).migrate(false).build())
                .build()
                .schedule(Timer.at(KEY, LATER).build());
    }

    private List<String> tries() throws SQLException {
        return JdbcPart.rows(pool, "SELECT last_value FROM tries");
    }

    private StoredTimer scheduled() {
        scheduler.schedule(Timer.at(KEY, LATER).build());
        return store.find(KEY).orElseThrow();
    }

    @Test
    void aCallIsRepeated() throws SQLException {
        cancelTries(3);

        assertThat(scheduler.schedule(Timer.at(KEY, LATER).build()).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(scheduler.find(KEY)).isPresent();
    }

    /** The transaction of a merge also limits its waits. */
    @Test
    void aMergeIsRepeated() throws SQLException {
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> Outcome.complete(), type -> type.merge(Merge.once()))
                .build();
        try (Scheduler merging =
                Scheduler.builder().store(store).todoQueue(queue).build()) {
            queue.enqueue(NewTodo.of("job", "payload").id("before").correlationKey("other"));
            cancelTries(2);

            queue.enqueue(NewTodo.of("job", "payload").id("merged").correlationKey("key"));

            assertThat(store.find(queue.key("merged"))).isPresent();
            assertThat(merging.find(KEY)).isEmpty();
        }
    }

    @Test
    void anOutcomeCountsAsHeld() throws SQLException {
        StoredTimer timer = scheduled();
        cancelTries("UPDATE OR DELETE", 1);
        List<Settlement> outcome = List.of(new Settlement.Deleted(KEY, timer.generation()));

        assertThatThrownBy(() -> store.settle(outcome)).isInstanceOf(LockedException.class);
        assertThat(store.settleUnlocked(outcome).count()).isEqualTo(1);
    }

    @Test
    void theNoteOfAStartCountsAsHeld() throws SQLException {
        StoredTimer timer = scheduled();
        cancelTries("UPDATE", 1);

        assertThatThrownBy(() -> store.start(KEY, timer.generation(), LATER)).isInstanceOf(LockedException.class);
        assertThat(store.start(KEY, timer.generation(), LATER)).isTrue();
    }

    @Test
    void aDeletionLeavesRowsThatMayBeHeld() throws SQLException {
        scheduler.schedule(Timer.at(KEY, LATER).build());
        JdbcPart.execute(pool, "UPDATE timer_schedules SET state = 'REACHED', settled_at = 1, wake_at = NULL");
        cancelTries("DELETE", 1);
        String queue = JdbcPart.rows(pool, "SELECT queue FROM timer_schedules").get(0);

        assertThat(store.purge(queue, LATER, 10)).isZero();
        assertThat(store.purge(queue, LATER, 10)).isEqualTo(1);
    }

    /** Such a statement waits for no lock: it would only take as long again. */
    @Test
    void aLongStatementThatIsCancelledIsNotRepeated() throws SQLException {
        interrupt("INSERT", 100, "PERFORM pg_sleep(60)");
        try (HikariDataSource limited = limited(600)) {
            assertThatThrownBy(() -> scheduleOn(limited))
                    .isInstanceOf(StoreException.class)
                    .isNotInstanceOf(CollisionException.class)
                    .hasMessageContaining("SQLSTATE 57014");
            assertThat(tries()).containsExactly("1");
        }
    }

    /** On a busy machine the first cancellation may come too late to be taken for a wait. */
    @Test
    void aShortLimitOfStatementsEndsTheCallSoon() throws SQLException {
        interrupt("INSERT", 100, "PERFORM pg_sleep(60)");
        try (HikariDataSource limited = limited(150)) {
            assertThatThrownBy(() -> scheduleOn(limited))
                    .isInstanceOf(StoreException.class)
                    .isNotInstanceOf(CollisionException.class);
            assertThat(Integer.parseInt(tries().get(0))).isLessThanOrEqualTo(10);
        }
    }
}
