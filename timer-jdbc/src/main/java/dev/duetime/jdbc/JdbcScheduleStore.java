package dev.duetime.jdbc;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.jdbc.internal.connection.BriefWrites;
import dev.duetime.jdbc.internal.connection.CheckedDataSource;
import dev.duetime.jdbc.internal.connection.ConnectionBudget;
import dev.duetime.jdbc.internal.connection.HandleSource;
import dev.duetime.jdbc.internal.connection.JoinedTransaction;
import dev.duetime.jdbc.internal.connection.OwnTransactions;
import dev.duetime.jdbc.internal.connection.OwnTransactions.Waits;
import dev.duetime.jdbc.internal.connection.PooledHandles;
import dev.duetime.jdbc.internal.connection.ReservedConnection;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.nodes.JdbcPermits;
import dev.duetime.jdbc.internal.nodes.JdbcShardLeases;
import dev.duetime.jdbc.internal.nodes.JdbcWakeUps;
import dev.duetime.jdbc.internal.nodes.NotifiedHints;
import dev.duetime.jdbc.internal.nodes.PushRefusal;
import dev.duetime.jdbc.internal.port.JdbcDueStore;
import dev.duetime.jdbc.internal.port.JdbcStoreAdmin;
import dev.duetime.jdbc.internal.port.JdbcTimerWrites;
import dev.duetime.jdbc.internal.port.QueryReads;
import dev.duetime.jdbc.internal.port.TimerReads;
import dev.duetime.jdbc.internal.row.TodoRows;
import dev.duetime.jdbc.internal.sql.PlainJdbi;
import dev.duetime.jdbc.internal.sql.PlannedSize;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.write.ScheduleStatements;
import dev.duetime.store.Correlated;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.NextDue;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Permits;
import dev.duetime.store.QueueSnapshot;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settled;
import dev.duetime.store.Settlement;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import dev.duetime.store.WakeUps;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Jdbi;

/**
 * The store for PostgreSQL, MariaDB, MySQL, H2 and SQLite. It needs a pool of at least three connections. It holds a
 * connection only while a method runs. A node that delivers holds one more for its leases, so that it renews them while
 * handlers hold all others; on SQLite, which has one writer, it does not. On PostgreSQL such a node holds another one,
 * on which it is notified of timers that other nodes scheduled, if the pool has at least five connections.
 *
 * <pre>{@code
 * ScheduleStore store = JdbcScheduleStore.of(dataSource);
 * }</pre>
 *
 * <p>Thread-safe. A call that collides with another transaction, for example in a deadlock, is repeated up to 10 times.
 * {@code schedule} and {@code cancel} wait up to 10 s for a row that another transaction holds. They hold no connection
 * meanwhile, and an interrupt ends the wait. Then they throw a {@link dev.duetime.store.CollisionException} that names
 * the key. Messages of exceptions never quote stored values.
 */
public final class JdbcScheduleStore implements ScheduleStore {
    private final CheckedDataSource dataSource;
    private final Dialect dialect;
    private final TodoRows todoRows = new TodoRows();
    private final PlannedSize size = new PlannedSize();
    private final Transactions transactions;
    private final Transactions shared;
    private final ScheduleStatements schedules;
    private final TimerWrites writes;
    private final TimerWrites settling;
    private final TimerWrites callers;
    private final QueryReads queries;
    private final JdbcDueStore due;
    private final ShardLeases leases;
    private final StoreAdmin admin;
    private final WakeUps wakeUps;
    private final Permits permits;
    private final ConnectionBudget connections;
    private final PushRefusal notNotified = new PushRefusal(System::nanoTime);

    JdbcScheduleStore(CheckedDataSource dataSource, Dialect dialect, Duration longestWait) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        HandleSource pooled = new PooledHandles(dataSource, this::jdbi);
        transactions = new OwnTransactions(pooled, dialect, Waits.AS_SET);
        connections = ConnectionBudget.of(dataSource.pool(), dialect);
        Transactions waiting =
                new OwnTransactions(pooled, dialect, new Waits(true, longestWait), connections.mostRetries());
        shared = dialect.locksRows() ? new OwnTransactions(pooled, dialect, Waits.NEVER) : waiting;
        Transactions batches =
                dialect.executesBatchesToTheEnd() ? new OwnTransactions(pooled, dialect, Waits.OF_LOOPS) : shared;
        callers = new JdbcTimerWrites(waiting, batches, dialect, todoRows);
        schedules = dialect.schedules();
        writes = new JdbcTimerWrites(transactions, dialect, todoRows);
        settling = dialect.executesBatchesToTheEnd() ? new JdbcTimerWrites(batches, dialect, todoRows) : writes;
        TimerReads reads = new TimerReads(dialect, size);
        queries = new QueryReads(dialect);
        due = new JdbcDueStore(transactions, shared, dialect, reads);
        ReservedConnection reserved =
                connections.keepsOneForLeases() ? new ReservedConnection(dataSource, dialect, this::jdbi) : null;
        leases = new JdbcShardLeases(transactions, waiting, reserved, dialect);
        BriefWrites brief = new BriefWrites(
                dialect.locksRows() ? new OwnTransactions(pooled, dialect, Waits.OF_LOOPS) : waiting, dialect);
        wakeUps = new JdbcWakeUps(transactions, brief, dialect, this::listen);
        permits = new JdbcPermits(transactions, brief, dialect.sql());
        admin = new JdbcStoreAdmin(transactions, waiting, brief, dialect, reads, queries, writes.todos());
    }

    private Jdbi jdbi(ConnectionFactory connections) {
        return PlainJdbi.on(connections, size, dialect.endsBatches());
    }

    /**
     * Opens the store of a database and brings its schema up to date.
     *
     * @param dataSource the pool itself, never a transaction-aware proxy of it: the store commits what it writes
     * @throws IllegalArgumentException if {@code dataSource} is null or read-only, or the database is not supported
     * @throws IllegalStateException if Flyway lacks its module for the database
     * @throws StoreException if the database failed
     */
    public static JdbcScheduleStore of(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /** Returns the pool with which the store was opened. Its timers are in this database. */
    public DataSource dataSource() {
        return dataSource.pool();
    }

    /**
     * Begins a store with other than the default settings.
     *
     * @throws IllegalArgumentException if {@code dataSource} is null
     */
    public static JdbcScheduleStoreBuilder builder(DataSource dataSource) {
        return new JdbcScheduleStoreBuilder(dataSource);
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
        return new JdbcTimerWrites(new JoinedTransaction(jdbi(joined.connections()), dialect, null), dialect, todoRows)
                .afterCommit(joined::afterCommit);
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
        return due.due(query);
    }

    @Override
    public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
        return due.nextDue(queue, shards, after);
    }

    @Override
    public Map<Integer, Integer> pending(String queue, Collection<Integer> shards, int atMost) {
        return due.pending(queue, shards, atMost);
    }

    /** {@inheritDoc} By one statement for every 400 shards. */
    @Override
    public Map<String, Map<Integer, Integer>> pending(Collection<PendingCount> counts) {
        return due.pending(counts);
    }

    /** {@inheritDoc} By one statement, except on a distributed database. */
    @Override
    public Map<String, QueueSnapshot> snapshot(Collection<String> queues, String node) {
        return queues.isEmpty() || dialect.isDistributed()
                ? ScheduleStore.super.snapshot(queues, node)
                : due.snapshot(queues, node);
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return settling.settle(settlements);
    }

    @Override
    public Settled settleUnlocked(List<Settlement> settlements) {
        return settling.settleUnlocked(settlements);
    }

    @Override
    public boolean start(TimerKey key, long generation, Instant now) {
        return due.start(key, generation, now);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Its {@link OwnTransaction#transaction} is a {@link JdbcTransaction}, whose {@link JdbcTransaction#connection}
     * may be written on. It holds a connection of the pool until it is closed; on SQLite, the write lock as well.
     */
    @Override
    public OwnTransaction begin() {
        return JdbcOwnTransaction.begin(dataSource, dialect, todoRows, this::jdbi);
    }

    /**
     * {@inheritDoc} Three quarters of the pool, not counting the connections for leases and hints; one on SQLite, which
     * has one writer. A pool whose size is unknown counts as one of 8 connections.
     */
    @Override
    public OptionalInt mostTransactions() {
        return OptionalInt.of(connections.mostTransactions());
    }

    @Override
    public Correlated correlated() {
        return writes.correlated();
    }

    /** {@inheritDoc} True on PostgreSQL, MariaDB and MySQL, where reads and writes use a connection each. */
    @Override
    public boolean readsBesideWrites() {
        return due.readsBesideWrites();
    }

    /** {@inheritDoc} On PostgreSQL, if it is one server; elsewhere it does nothing. */
    @Override
    public Map<String, Integer> expire(String queue, int shard, Instant now, boolean keep, int limit) {
        return due.expire(queue, shard, now, keep, limit);
    }

    /** {@inheritDoc} By one statement, except on a distributed database. */
    @Override
    public Set<String> purgeable(Map<String, Instant> before) {
        return due.purgeable(before);
    }

    @Override
    public int purge(String queue, Instant before, int limit) {
        return due.purge(queue, before, limit);
    }

    @Override
    public ShardLeases leases() {
        return leases;
    }

    @Override
    public WakeUps wakeUps() {
        return wakeUps;
    }

    @Override
    public Permits permits() {
        return permits;
    }

    private Optional<WakeUps.Receiver> listen() {
        return connections.keepsOneForHints()
                ? NotifiedHints.listen(dataSource, transactions, dialect.sql(), notNotified)
                : Optional.empty();
    }

    @Override
    public ListStore todos() {
        return callers.todos();
    }

    @Override
    public StoreAdmin admin() {
        return admin;
    }
}
