package dev.duetime.jdbc.contract;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcScheduleStoreBuilder;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.contract.ScheduleStoreContract;
import dev.duetime.testkit.fault.Damage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/** The contract of every store, on one database, and what this store promises beyond it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JdbcScheduleStoreContract extends ScheduleStoreContract {
    private static final Set<String> ANALYZES_TABLES = Set.of("h2", "mariadb", "mysql");

    private final FreshDatabases databases;
    private final UnaryOperator<JdbcScheduleStoreBuilder> settings;
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final HikariDataSource dataSource;
    private final JdbcScheduleStore store;

    JdbcScheduleStoreContract(FreshDatabases databases) {
        this(databases, UnaryOperator.identity());
    }

    /** Runs the contract on stores with other than the default settings. */
    JdbcScheduleStoreContract(FreshDatabases databases, UnaryOperator<JdbcScheduleStoreBuilder> settings) {
        this.databases = databases;
        this.settings = settings;
        dataSource = databases.open(databases.create());
        store = open(dataSource);
        databases.migrated(dataSource);
    }

    /** Closes the connections that a test opened in addition to those of the store. A server allows only a hundred. */
    @AfterEach
    void closePools() {
        pools.forEach(HikariDataSource::close);
        pools.clear();
    }

    @AfterAll
    void close() {
        dataSource.close();
        databases.close();
    }

    /** Returns a statement that makes the database refuse timers with headers, and quote them if it ever does. */
    abstract String refusingHeaders();

    /** Returns how the database explains the poll of the given number of shards. */
    final String planOfPoll(String explain, String dialect, int shards) {
        return planOfPoll(explain, dialect, "due", shards);
    }

    /** Returns how the database explains the poll that leaves some timers out. */
    final String planOfPollBut(String explain, String dialect, int shards) {
        return planOfPoll(explain, dialect, "due_but", shards);
    }

    /** Returns how the database explains the poll of some parallel keys. */
    final String planOfPollOfKeys(String explain, String dialect, int shards) {
        return planOfPoll(explain, dialect, "due_of_keys", shards);
    }

    private String planOfPoll(String explain, String dialect, String statement, int shards) {
        String poll = statements(dialect)
                .text(statement, shards)
                .replaceAll("<\\w+>", "501")
                .replaceAll(":shard(\\d+)", "$1")
                .replace(
                        ":shards",
                        "'{"
                                + IntStream.range(0, shards)
                                        .mapToObj(Integer::toString)
                                        .collect(Collectors.joining(","))
                                + "}'")
                .replace(":queue", "'q'")
                .replace(":from", "0")
                .replace(":now", "9000000000000000")
                .replaceAll(":(parallelKeys|only|tenants|types)", "'{}'")
                .replace(":upTo", "0");
        return String.join("\n", JdbcPart.rows(dataSource, explain + " " + poll));
    }

    /**
     * Returns how the database explains the search for a timer to merge with, among many timers of many correlation
     * keys.
     */
    final String planOfMerge(String explain, String dialect) {
        CorrelationRowContract.fill(store, "merged", 4_000);
        JdbcPart.execute(
                dataSource, "ANALYZE " + (ANALYZES_TABLES.contains(dialect) ? "TABLE " : "") + "timer_schedules");
        String look = statements(dialect)
                .text("look_for_waiting")
                .replace(":queue", "'merged'")
                .replace(":tenantId", "'merged'")
                .replace(":correlationKey", "'key-17'")
                .replace(":type", "'test'")
                .replace(":passedOver", "0");
        return String.join("\n", JdbcPart.rows(dataSource, explain + " " + look));
    }

    /**
     * Returns how the database explains the read of a page of a to-do list, among the given number of lists of 1,000
     * items.
     */
    final String planOfTodos(String explain, String dialect, int lists) {
        for (int i = 0; i < lists; i++) {
            TodoRowContract.fill(store, "plan-" + i, 1_000);
        }
        JdbcPart.execute(
                dataSource, "ANALYZE " + (ANALYZES_TABLES.contains(dialect) ? "TABLE " : "") + "timer_todo_items");
        String page = statements(dialect)
                .text("overdue_todos")
                .replace(":list", "'plan-1'")
                .replace(":now", "9000000000000000")
                .replace(":afterOverdueAt", "1000")
                .replace(":afterItemId", "'a'")
                .replace(":limit", "100");
        return String.join("\n", JdbcPart.rows(dataSource, explain + " " + page));
    }

    private static SqlFiles statements(String dialect) {
        return dialect.equals("mysql") ? SqlFiles.like("mariadb", dialect) : new SqlFiles(dialect);
    }

    final JdbcScheduleStore open(DataSource opened) {
        return builder(opened).build();
    }

    final JdbcScheduleStoreBuilder builder(DataSource opened) {
        DataSource ofStore = databases.ofStore(opened);
        return settings.apply(databases.configured(JdbcScheduleStore.builder(ofStore), ofStore));
    }

    final FreshDatabases databases() {
        return databases;
    }

    final HikariDataSource dataSource() {
        return dataSource;
    }

    /** Opens a pool; closed after the test. */
    final HikariDataSource pool(String url) {
        HikariDataSource pool = databases.open(url);
        synchronized (pools) {
            pools.add(pool);
        }
        return pool;
    }

    @Override
    protected JdbcScheduleStore store() {
        return store;
    }

    @Override
    protected <R> R inTransaction(boolean commit, Function<Transaction, R> work) {
        try (Connection connection = databases.ofStore(dataSource).getConnection()) {
            connection.setAutoCommit(false);
            try {
                R result = work.apply(JdbcTransaction.of(connection));
                if (commit) {
                    connection.commit();
                }
                return result;
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected void damage(TimerKey key, Damage damage) {
        damage(dataSource, key, damage);
    }

    static void damage(DataSource dataSource, TimerKey key, Damage damage) {
        String change = switch (damage) {
            case UNREADABLE_CONTENT -> "headers = '[\"secret\"'";
            case UNKNOWN_STATE -> "state = 'LOST'";
            case AWAKE_THOUGH_ENDED -> "wake_at = due_at";
            case INVALID_KEY -> "timer_id = '" + key.timerId() + "\n'";
        };
        JdbcPart.execute(
                dataSource,
                "UPDATE timer_schedules SET %s WHERE tenant_id = '%s' AND timer_id = '%s'"
                        .formatted(change, key.tenantId(), key.timerId()));
    }

    @Nested
    @DisplayName("migrations")
    class Migration extends MigrationContract {
        Migration() {
            super(JdbcScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("migrations beside a host's own")
    class HostMigration extends HostMigrationContract {
        HostMigration() {
            super(JdbcScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("the caller's connection")
    class CallersConnection extends CallersConnectionContract {
        CallersConnection() {
            super(JdbcScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("rows of to-do lists")
    class TodoRows extends TodoRowContract {
        TodoRows() {
            super(JdbcScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("rows of correlation keys")
    class CorrelationRows extends CorrelationRowContract {
        CorrelationRows() {
            super(JdbcScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("the store's own connection")
    class OwnConnection extends OwnConnectionContract {
        OwnConnection() {
            super(JdbcScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("races of transactions")
    class TransactionRace extends TransactionRaceContract {
        TransactionRace() {
            super(JdbcScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("trouble")
    class Trouble extends TroubleContract {
        Trouble() {
            super(JdbcScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("surroundings")
    class Surroundings extends SurroundingsContract {
        Surroundings() {
            super(JdbcScheduleStoreContract.this);
        }
    }

    @Nested
    @DisplayName("waits for locks")
    class LockWait extends LockWaitContract {
        LockWait() {
            super(JdbcScheduleStoreContract.this);
        }
    }
}
