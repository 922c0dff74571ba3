package dev.duetime.jdbc.internal.port;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.row.StandingRow;
import dev.duetime.jdbc.internal.row.TodoRows;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.sql.DriverStatement.Binder;
import dev.duetime.jdbc.internal.sql.DriverStatement.Parameter;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.tx.Transactions.Work;
import dev.duetime.jdbc.internal.write.ScheduleStatements;
import dev.duetime.store.Correlated;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settled;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerWrites;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The writes of timers, in the store's own transactions or in a caller's. As thread-safe as the transactions. */
public final class JdbcTimerWrites implements TimerWrites {
    /** Matches no row: no generation is negative. */
    private static final long NONE = -1;

    private final Transactions transactions;
    private final Dialect dialect;
    private final SqlFiles sql;
    private final ScheduleStatements schedules;
    private final Settling settles;
    private final Correlated correlated;
    private final ListStore todos;

    /** Null if the lock of a key without a row locks no other key. */
    private final @Nullable KeyProbe probe;

    /** Runs an action after the commit; returns whether it will. */
    private Predicate<Runnable> afterCommit = action -> false;

    public JdbcTimerWrites(Transactions transactions, Dialect dialect, TodoRows todoRows) {
        this(transactions, transactions, dialect, todoRows);
    }

    /**
     * Creates the writes.
     *
     * @param brief runs what must not wait for rows that others hold
     */
    public JdbcTimerWrites(Transactions transactions, Transactions brief, Dialect dialect, TodoRows todoRows) {
        this.transactions = transactions;
        this.dialect = dialect;
        this.sql = dialect.sql();
        this.schedules = dialect.schedules();
        this.settles = new Settling(dialect);
        this.correlated = new JdbcCorrelated(transactions, dialect);
        this.todos = new JdbcListStore(transactions, brief, dialect, todoRows);
        this.probe = transactions.isJoined() && dialect.locksGaps() ? new KeyProbe(sql) : null;
    }

    /** Sets what runs actions after the commit. Must be called before the first use. Returns this. */
    public JdbcTimerWrites afterCommit(Predicate<Runnable> runner) {
        afterCommit = runner;
        return this;
    }

    @Override
    public boolean afterCommit(Runnable action) {
        return afterCommit.test(action);
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        return timers.isEmpty() ? List.of() : schedules.schedule(transactions, timers);
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        if (isMissing(key)) {
            return CancelResult.NOT_FOUND;
        }
        Work<Boolean> cancel = handle -> cancelIfScheduled(handle, key, now, inDelivery);
        boolean locksFirst = locksNow();
        boolean cancelled = !locksFirst && transactions.single("cancel", key, cancel);
        return cancelled
                ? CancelResult.CANCELLED
                : transactions.run("cancel", key, handle -> refuse(handle, key, locksFirst, cancel));
    }

    private boolean isMissing(TimerKey key) {
        KeyProbe asking = probe;
        return asking != null
                && !transactions.single("cancel", key, handle -> asking.mayBeThere(handle, key, keyOf(key)));
    }

    private boolean locksNow() {
        return transactions.waitsBriefly() && dialect.locksNow();
    }

    private boolean cancelIfScheduled(Handle handle, TimerKey key, Instant now, OptionalLong inDelivery) {
        Binder binder = (prepared, position, parameter) -> {
            switch (parameter.name()) {
                case "now" -> prepared.setLong(position, Micros.toLong(now));
                case "inDelivery" -> prepared.setLong(position, inDelivery.orElse(NONE));
                default -> bind(prepared, position, parameter, key);
            }
        };
        return statement(locksNow() ? "cancel_now" : "cancel").update(handle, binder) > 0;
    }

    private static Binder keyOf(TimerKey key) {
        return (prepared, position, parameter) -> bind(prepared, position, parameter, key);
    }

    private static void bind(PreparedStatement prepared, int position, Parameter parameter, TimerKey key)
            throws SQLException {
        prepared.setString(
                position,
                switch (parameter.name()) {
                    case "tenantId" -> key.tenantId();
                    case "timerId" -> key.timerId();
                    case "scope" -> key.scope();
                    default -> throw new IllegalArgumentException("no key has a " + parameter.name());
                });
    }

    private DriverStatement statement(String name) {
        String waitBriefly = dialect.waitBriefly();
        return waitBriefly != null && transactions.waitsBriefly()
                ? sql.driverAfter(waitBriefly, name)
                : sql.driver(name);
    }

    /** Returns why nothing was cancelled. A timer that was scheduled just now is cancelled instead. */
    private CancelResult refuse(Handle handle, TimerKey key, boolean locksNow, Work<Boolean> cancel)
            throws SQLException {
        List<String> states = statement(locksNow ? "lock_state_now" : "lock_state")
                .query(handle, keyOf(key), row -> row.getString(1));
        if (states.isEmpty()) {
            return CancelResult.NOT_FOUND;
        }
        boolean cancelled = states.get(0).equals(TimerState.SCHEDULED.name()) && cancel.run(handle);
        return cancelled ? CancelResult.CANCELLED : CancelResult.TOO_LATE;
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return transactions.single(
                "find",
                key,
                handle -> handle.createQuery(sql.text("find"))
                        .bind("tenantId", key.tenantId())
                        .bind("timerId", key.timerId())
                        .bind("scope", key.scope())
                        .map((row, context) -> StandingRow.of(row))
                        .findOne()
                        .map(StandingRow::timer));
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return settles.settle(transactions, settlements);
    }

    @Override
    public Settled settleUnlocked(List<Settlement> settlements) {
        return settles.settleUnlocked(transactions, settlements);
    }

    @Override
    public Correlated correlated() {
        return correlated;
    }

    @Override
    public ListStore todos() {
        return todos;
    }
}
