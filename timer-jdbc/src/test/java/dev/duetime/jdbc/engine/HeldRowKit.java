package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** A store on a database in which another transaction holds rows until the end of the test. */
abstract class HeldRowKit {
    static final Instant NOW = Instant.parse("2031-05-06T08:00:00Z");
    static final Instant LATER = NOW.plusSeconds(10);
    static final Duration SHORT = Duration.ofMillis(300);

    /** Far longer than any bounded wait, and shorter than the default wait of each database except H2. */
    private static final long LIMIT_SECONDS = 20;

    @FunctionalInterface
    interface Body {
        void run(JdbcScheduleStore store, HikariDataSource pool, Statement holder) throws SQLException;
    }

    /** Runs a test with a transaction that lasts until its end. */
    static void with(Database kind, Body body) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                Connection holder = pool.getConnection()) {
            JdbcScheduleStore store =
                    JdbcScheduleStore.builder(pool).lockTimeout(SHORT).build();
            holder.setAutoCommit(false);
            try (Statement statement = holder.createStatement()) {
                body.run(store, pool, statement);
            } finally {
                holder.rollback();
                holder.setAutoCommit(true);
            }
        }
    }

    static <T> T ended(Callable<T> call) {
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
        return result.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }

    static Throwable failure(Callable<?> call) {
        Throwable thrown = catchThrowable(() -> ended(call));
        Throwable cause = thrown.getCause();
        return thrown instanceof CompletionException && cause != null ? cause : thrown;
    }
}
