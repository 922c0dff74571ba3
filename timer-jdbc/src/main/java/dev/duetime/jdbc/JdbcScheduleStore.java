package dev.duetime.jdbc;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.connection.CheckedDataSource;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.connection.JoinedTransaction;
import dev.duetime.jdbc.internal.connection.OpeningConnections;
import dev.duetime.jdbc.internal.connection.OwnTransactions;
import dev.duetime.jdbc.internal.connection.OwnTransactions.Waits;
import dev.duetime.jdbc.internal.connection.PoolSize;
import dev.duetime.jdbc.internal.connection.ReservedConnection;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.port.Deletion;
import dev.duetime.jdbc.internal.port.JdbcShardLeases;
import dev.duetime.jdbc.internal.port.JdbcStoreAdmin;
import dev.duetime.jdbc.internal.port.JdbcTimerWrites;
import dev.duetime.jdbc.internal.port.QueryReads;
import dev.duetime.jdbc.internal.port.TimerReads;
import dev.duetime.jdbc.internal.row.TodoRows;
import dev.duetime.jdbc.internal.schema.Migrations;
import dev.duetime.jdbc.internal.sql.PlainStatements;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.write.ScheduleStatements;
import dev.duetime.store.Correlated;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.NextDue;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settled;
import dev.duetime.store.Settlement;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handles;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.statement.StatementExceptions.MessageRendering;
import org.jdbi.v3.core.statement.TemplateEngine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store for PostgreSQL, MariaDB, H2 and SQLite. It needs a pool of at least three connections. It holds a
 * connection only while a method runs. A node that delivers holds one more for its leases, so that it renews them while
 * handlers hold all others; on SQLite, which has one writer, it does not.
 *
 * <pre>{@code
 * ScheduleStore store = JdbcScheduleStore.of(dataSource);
 * }</pre>
 *
 * <p>Thread-safe. What failed because another transaction was in the way, such as a deadlock, is tried again up to 10
 * times. {@code schedule} and {@code cancel} wait up to 10 s for a row that another transaction holds, without holding
 * a connection meanwhile, and an interrupt ends that wait; then they throw a {@link
 * dev.duetime.store.CollisionException} that names the key. Messages of its exceptions never quote what was stored.
 */
public final class JdbcScheduleStore implements ScheduleStore {
    /** Remembers what it parsed, also for the Jdbi of each transaction that is joined. */
    private static final SqlParser PARSER = new ColonPrefixSqlParser();

    private static final Logger LOG = LoggerFactory.getLogger(JdbcScheduleStore.class);
    /** One for leases, one for the loops and one for what a handler does in its transaction. */
    private static final int LEAST_CONNECTIONS = 3;

    /** The size of a pool that does not tell it: the smallest default of the known ones. */
    private static final int LIKELY_CONNECTIONS = 8;

    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);

    private final CheckedDataSource dataSource;
    private final Dialect dialect;
    private final TodoRows todoRows = new TodoRows();
    private final Transactions transactions;
    private final Transactions shared;
    private final ScheduleStatements schedules;
    private final TimerWrites writes;
    private final TimerWrites callers;
    private final TimerReads reads;
    private final QueryReads queries;
    private final Deletion deletion;
    private final ShardLeases leases;
    private final StoreAdmin admin;
    private final int mostTransactions;

    private JdbcScheduleStore(CheckedDataSource dataSource, Dialect dialect, Duration longestWait) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        Jdbi jdbi = jdbi(dataSource::getConnection);
        transactions = new OwnTransactions(jdbi, dialect, Waits.AS_SET);
        Transactions waiting = new OwnTransactions(jdbi, dialect, new Waits(true, longestWait));
        shared = dialect.locksRows() ? new OwnTransactions(jdbi, dialect, Waits.NEVER) : waiting;
        callers = new JdbcTimerWrites(waiting, dialect, todoRows);
        schedules = dialect.schedules();
        writes = new JdbcTimerWrites(transactions, dialect, todoRows);
        reads = new TimerReads(dialect.sql(), dialect.traits().mergesLazily(), dialect.leftOut());
        queries = new QueryReads(dialect.sql(), dialect.indexesEachState());
        deletion = new Deletion(transactions, dialect);
        ReservedConnection reserved = reserved(dataSource, dialect);
        leases = new JdbcShardLeases(transactions, waiting, reserved, dialect);
        mostTransactions = mostTransactions(dataSource, dialect, reserved != null);
        admin = new JdbcStoreAdmin(transactions, dialect.sql(), reads, queries);
    }

    /** Where the database has one writer, leases wait for it on whatever connection. */
    private static @Nullable ReservedConnection reserved(CheckedDataSource dataSource, Dialect dialect) {
        if (!dialect.locksRows()) {
            return null;
        }
        int connections = PoolSize.of(dataSource.pool()).orElse(LEAST_CONNECTIONS);
        if (connections < LEAST_CONNECTIONS) {
            LOG.warn(
                    "the pool must have at least {} connections to keep one for leases but has {}; while handlers hold"
                            + " all of them, other nodes take this node's shards",
                    LEAST_CONNECTIONS,
                    connections);
            return null;
        }
        return new ReservedConnection(dataSource, dialect, JdbcScheduleStore::jdbi);
    }

    /** Leaves a quarter to the loops, and at least one connection. */
    private static int mostTransactions(CheckedDataSource dataSource, Dialect dialect, boolean keepsOne) {
        if (!dialect.locksRows()) {
            return 1;
        }
        int connections = PoolSize.of(dataSource.pool()).orElse(LIKELY_CONNECTIONS) - (keepsOne ? 1 : 0);
        return Math.max(1, connections - Math.max(1, connections / 4));
    }

    /**
     * Opens the store of a database and brings its schema up to date.
     *
     * @param dataSource the pool itself, never a transaction-aware proxy of it: the store commits what it writes
     * @throws IllegalArgumentException if the database is not supported
     * @throws IllegalStateException if Flyway lacks its module for the database
     * @throws StoreException if the database failed
     */
    public static JdbcScheduleStore of(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /** Returns the pool that it was opened with: its timers are in this database. */
    public DataSource dataSource() {
        return dataSource.pool();
    }

    /** Begins a store with other than the default settings. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    private static Jdbi jdbi(ConnectionFactory connections) {
        Jdbi jdbi = Jdbi.create(connections).setStatementBuilderFactory(unused -> new PlainStatements());
        jdbi.getConfig(Handles.class).setForceEndTransactions(false);
        jdbi.getConfig(SqlStatements.class).setSqlParser(PARSER).setTemplateEngine(TemplateEngine.NOP);
        jdbi.getConfig(StatementExceptions.class).setMessageRendering(MessageRendering.NONE);
        return jdbi;
    }

    /**
     * {@inheritDoc}
     *
     * @param transaction a {@link JdbcTransaction} on the same database
     * @throws IllegalArgumentException if it is another kind of transaction, or {@linkplain JdbcTransaction#managed
     *     managed} by the store's own pool
     */
    @Override
    public TimerWrites in(Transaction transaction) {
        if (!(transaction instanceof JdbcTransaction joined)) {
            throw new IllegalArgumentException("transaction must be a JdbcTransaction but was a "
                    + transaction.getClass().getName());
        }
        joined.checkNotOf(dataSource.pool());
        return new JdbcTimerWrites(new JoinedTransaction(jdbi(joined.connections()), dialect, true), dialect, todoRows);
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        return callers.schedule(timers);
    }

    @Override
    public List<ScheduleResult> scheduleEach(List<NewTimer> timers) {
        return timers.isEmpty() ? List.of() : schedules.scheduleEach(shared, timers);
    }

    @Override
    public List<ScheduleResult> scheduleShared(List<NewTimer> timers) {
        return timers.isEmpty() ? List.of() : schedules.schedule(shared, timers);
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        return callers.cancel(key, now, inDelivery);
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return writes.find(key);
    }

    @Override
    public List<StoredTimer> query(TimerQuery query) {
        return transactions.single("query", "timers", handle -> queries.matching(handle, query));
    }

    @Override
    public DueTimers due(DueQuery query) {
        return query.shards().isEmpty()
                ? new DueTimers(List.of(), false)
                : transactions.single("read due timers of", query.queue(), handle -> reads.due(handle, query));
    }

    @Override
    public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
        return transactions.single(
                "read next due time of", queue, handle -> reads.nextDue(handle, queue, List.copyOf(shards), after));
    }

    @Override
    public Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost) {
        return shards.isEmpty()
                ? Map.of()
                : transactions.single(
                        "count timers of", queue, handle -> reads.pending(handle, queue, List.copyOf(shards), atMost));
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return writes.settle(settlements);
    }

    @Override
    public Settled settleUnlocked(List<Settlement> settlements) {
        return writes.settleUnlocked(settlements);
    }

    @Override
    public boolean start(TimerKey key, long generation, Instant now) {
        return transactions.single(
                "start",
                key,
                handle -> handle.createUpdate(dialect.sql().text("start"))
                                .bind("tenantId", key.tenantId())
                                .bind("timerId", key.timerId())
                                .bind("scope", key.scope())
                                .bind("generation", generation)
                                .bind("now", Micros.toLong(now))
                                .execute()
                        > 0);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Its {@link OwnTransaction#transaction} is a {@link JdbcTransaction}, whose {@link JdbcTransaction#connection}
     * may be written on. It holds a connection of the pool until it is closed; on SQLite, the write lock as well.
     */
    @Override
    public OwnTransaction begin() {
        return JdbcOwnTransaction.begin(dataSource, dialect, todoRows, JdbcScheduleStore::jdbi);
    }

    /**
     * {@inheritDoc} Three quarters of the pool, not counting the connection for leases; one on SQLite, which has one
     * writer. A pool that does not tell its size counts as one of 8 connections.
     */
    @Override
    public OptionalInt mostTransactions() {
        return OptionalInt.of(mostTransactions);
    }

    @Override
    public Correlated correlated() {
        return writes.correlated();
    }

    /** {@inheritDoc} On PostgreSQL and MariaDB they do, each on a connection of its own. */
    @Override
    public boolean readsBesideWrites() {
        return dialect.readsBesideWrites();
    }

    /** {@inheritDoc} On PostgreSQL, if it is one server; elsewhere it does nothing. */
    @Override
    public Map<String, Integer> expire(String queue, int shard, Instant now, boolean keep, int limit) {
        return dialect.expiresUnread()
                ? transactions.single(
                        "expire timers of",
                        queue,
                        handle ->
                                reads.expire(handle, keep ? "expire_kept" : "expire_deleted", queue, shard, now, limit))
                : Map.of();
    }

    @Override
    public int purge(String queue, Instant before, int limit) {
        return deletion.purge(queue, before, limit);
    }

    @Override
    public ShardLeases leases() {
        return leases;
    }

    @Override
    public ListStore todos() {
        return writes.todos();
    }

    @Override
    public StoreAdmin admin() {
        return admin;
    }

    /** Builds a {@link JdbcScheduleStore}. Not thread-safe. */
    public static final class Builder {
        private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(35);
        private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);
        private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);

        private final CheckedDataSource dataSource;
        private boolean migrate = true;
        private @Nullable DataSource migrations;
        private @Nullable Boolean distributed;
        private Duration openTimeout = OPEN_TIMEOUT;
        private Duration lockTimeout = LOCK_TIMEOUT;

        private Builder(DataSource dataSource) {
            this.dataSource = new CheckedDataSource(dataSource);
        }

        /**
         * Sets whether {@link #build} brings the schema up to date with Flyway; true by default. If not, run the files
         * below {@code dev/duetime/jdbc/migrations} yourself: they are plain SQL.
         */
        public Builder migrate(boolean migrate) {
            this.migrate = migrate;
            return this;
        }

        /**
         * Sets a data source whose login may create tables, where that of the pool may not; the pool itself by default.
         * The tables come to the schema that is current for the pool. The pool's login needs rights on them, which you
         * grant.
         */
        public Builder migrateBy(DataSource migrations) {
            this.migrations = migrations;
            return this;
        }

        /**
         * Sets whether the tables are distributed over several PostgreSQL servers by Citus, so that statements are
         * written in the form that it takes. That form is right on one server, too, but slower; the other one fails on
         * distributed tables. By default they are taken for distributed if the database has the extension {@code citus}
         * when the store is opened.
         */
        public Builder distributed(boolean distributed) {
            this.distributed = distributed;
            return this;
        }

        /**
         * Sets how long {@code schedule} and {@code cancel} wait for a row that another transaction has locked; 10 s by
         * default. After that the call throws a {@link dev.duetime.store.CollisionException}.
         *
         * @param lockTimeout 10 ms to 1 h
         * @throws IllegalArgumentException if it is null or out of range
         */
        public Builder lockTimeout(Duration lockTimeout) {
            this.lockTimeout = checked("lockTimeout", lockTimeout);
            return this;
        }

        /**
         * Sets how long {@link #build} waits for a connection; 35 s by default, which is longer than HikariCP waits, so
         * that its error says why there is none. A connection that comes later is closed. Migrations may take as long
         * as they need.
         *
         * @param openTimeout 10 ms to 1 h
         * @throws IllegalArgumentException if it is null or out of range
         */
        public Builder openTimeout(Duration openTimeout) {
            this.openTimeout = checked("openTimeout", openTimeout);
            return this;
        }

        private static Duration checked(String setting, Duration timeout) {
            if (timeout == null || timeout.compareTo(SHORTEST_TIMEOUT) < 0 || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
                throw new IllegalArgumentException("%s must be between %s and %s but was %s"
                        .formatted(setting, SHORTEST_TIMEOUT, LONGEST_TIMEOUT, timeout));
            }
            return timeout;
        }

        /**
         * Opens the store.
         *
         * @throws IllegalArgumentException if the database is not supported, takes an empty text for NULL, or is said
         *     to be distributed and is not PostgreSQL
         * @throws IllegalStateException if it migrates, and Flyway lacks its module for the database
         * @throws StoreException if the database failed, or gave no connection within {@link #openTimeout}; its message
         *     tells the whole chain of causes
         */
        public JdbcScheduleStore build() {
            DataSource opening = new OpeningConnections(dataSource, openTimeout);
            Dialect dialect = dialect(opening);
            if (migrate) {
                migrations(opening, dialect.sql().dialect()).run();
            }
            return new JdbcScheduleStore(dataSource, dialect, lockTimeout);
        }

        private Migrations migrations(DataSource opening, String dialect) {
            if (migrations == null) {
                return new Migrations(opening, dialect, null);
            }
            try (Connection connection = opening.getConnection()) {
                return new Migrations(new OpeningConnections(migrations, openTimeout), dialect, connection.getSchema());
            } catch (SQLException e) {
                throw Failures.of("open", "store", e);
            }
        }

        private Dialect dialect(DataSource opening) {
            try (Connection connection = opening.getConnection()) {
                Dialect dialect = Dialect.of(connection, distributed);
                dialect.check(connection);
                dialect.makeDurable(connection);
                return dialect;
            } catch (SQLException e) {
                throw Failures.of("open", "store", e);
            }
        }
    }
}
