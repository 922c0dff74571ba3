package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.store.CollisionException;
import dev.duetime.store.NewTimer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of how a call waits for a row that another transaction holds. */
abstract class LockWaitContract extends JdbcPart {
    /** Far longer than any call takes that does not hang. */
    private static final long LIMIT_SECONDS = 30;

    private final List<Connection> holders = new ArrayList<>();

    LockWaitContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    @AfterEach
    final void releaseAll() throws SQLException {
        for (Connection each : holders) {
            if (!each.isClosed()) {
                each.rollback();
                each.setAutoCommit(true);
                each.close();
            }
        }
        holders.clear();
    }

    /** Returns a store whose calls wait for at most that long, with a pool of its own on the database of this test. */
    final JdbcScheduleStore waiting(HikariDataSource pool, Duration longest) {
        return database.builder(pool).migrate(false).lockTimeout(longest).build();
    }

    final HikariDataSource pool(int connections) {
        HikariDataSource pool = database.pool(url());
        pool.setMaximumPoolSize(connections);
        return pool;
    }

    private String url() {
        return database.dataSource().getJdbcUrl();
    }

    final Scheduler scheduler(JdbcScheduleStore store) {
        Scheduler scheduler = Scheduler.builder().store(store).build();
        // The first schedule creates the queue.
        scheduler.schedule(laterTimer("first", "x"));
        return scheduler;
    }

    final Timer laterTimer(String id, String payload) {
        return Timer.at(key(id), NOW).payload(payload).build();
    }

    /**
     * Begins a transaction that writes the row of a key, and holds it until the end of the test or {@link #release}.
     */
    final Connection hold(String id) throws SQLException {
        Connection connection = database.dataSource().getConnection();
        holders.add(connection);
        connection.setAutoCommit(false);
        NewTimer held = timer(id, "held");
        ScheduleResult result = store().in(JdbcTransaction.of(connection))
                .schedule(List.of(held))
                .get(0);
        assertThat(result.outcome()).isIn(ScheduleOutcome.CREATED, ScheduleOutcome.RESCHEDULED);
        return connection;
    }

    static void release(Connection holder) throws SQLException {
        holder.commit();
        holder.setAutoCommit(true);
        holder.close();
    }

    static <T> CompletableFuture<T> begin(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(call.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    static <T> T ended(CompletableFuture<T> call) {
        return call.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }

    static <T> CollisionException refused(CompletableFuture<T> call) {
        Throwable thrown = catchThrowableOfType(CompletionException.class, () -> ended(call));
        return (CollisionException) Objects.requireNonNull(thrown.getCause(), "cause");
    }

    @Test
    void theWaitForAScheduleIsBoundedAndNamesTheKey() throws SQLException {
        store().schedule(List.of(timer("a", "before")));
        Scheduler scheduler = scheduler(waiting(pool(2), Duration.ofMillis(200)));
        Connection holder = hold("a");

        CollisionException refused = refused(begin(() -> scheduler.schedule(laterTimer("a", "after"))));

        assertThat(refused).hasMessageStartingWith("schedule " + tenant + "/a failed: ");
        release(holder);
        assertThat(store().find(key("a")).orElseThrow().content().payload())
                .isEqualTo(timer("a", "held").content().payload());
    }

    @Test
    void theWaitForACancellationIsBoundedAndNamesTheKey() throws SQLException {
        store().schedule(List.of(timer("a", "before")));
        Scheduler scheduler = scheduler(waiting(pool(2), Duration.ofMillis(200)));
        hold("a");

        assertThat(refused(begin(() -> scheduler.cancel(key("a")))))
                .hasMessageStartingWith("cancel " + tenant + "/a failed: ");
    }

    @Test
    void anInterruptEndsTheWaitAndTheFlagStaysSet() throws Exception {
        store().schedule(List.of(timer("a", "before")));
        HikariDataSource pool = pool(2);
        Scheduler scheduler = scheduler(waiting(pool, Duration.ofMinutes(10)));
        Connection holder = hold("a");
        List<Callable<Object>> calls =
                List.of(() -> scheduler.schedule(laterTimer("a", "after")), () -> scheduler.cancel(key("a")));

        for (Callable<Object> call : calls) {
            CompletableFuture<Boolean> stays = new CompletableFuture<>();
            CompletableFuture<Thread> caller = new CompletableFuture<>();
            CompletableFuture<Object> waiting = begin(() -> {
                caller.complete(Thread.currentThread());
                try {
                    return call.call();
                } finally {
                    stays.complete(Thread.currentThread().isInterrupted());
                }
            });
            Thread waits = ended(caller);
            // More than once, because H2 loses an interrupt that comes during its own wait of a millisecond.
            while (!waiting.isDone()) {
                waits.interrupt();
                Thread.onSpinWait();
            }

            assertThat(refused(waiting)).hasMessageContaining(tenant + "/a");
            assertThat(ended(stays)).isTrue();
        }
        release(holder);
        assertThat(store().find(key("a")).orElseThrow().content().payload())
                .isEqualTo(timer("a", "held").content().payload());
        assertThat(scheduler.cancel(key("a"))).isEqualTo(CancelResult.CANCELLED);
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    @Test
    void theWaitEndsWhenTheRowIsReleased() throws SQLException {
        Scheduler scheduler = scheduler(waiting(pool(2), Duration.ofMinutes(10)));
        Connection holder = hold("new");

        CompletableFuture<ScheduleResult> waiting = begin(() -> scheduler.schedule(laterTimer("new", "after")));
        release(holder);

        assertThat(ended(waiting).outcome()).isIn(ScheduleOutcome.RESCHEDULED);
    }

    @Test
    void anInterruptedCallerMaySchedule() {
        Scheduler scheduler = scheduler(waiting(pool(2), Duration.ofMinutes(10)));
        CompletableFuture<ScheduleResult> call = begin(() -> {
            Thread.currentThread().interrupt();
            ScheduleResult result = scheduler.schedule(laterTimer("a", "x"));
            assertThat(Thread.interrupted()).isTrue();
            return result;
        });

        assertThat(ended(call).outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }
}
