package dev.duetime.jdbc;

import dev.duetime.CancelResult;
import dev.duetime.Micros;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.Transactions.Work;
import dev.duetime.store.Correlated;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settled;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.TodoStore;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jdbi.v3.core.Handle;

/** Writes timers in transactions of the store's own or in a caller's. As thread-safe as these. */
final class JdbcTimerWrites implements TimerWrites {
    /** No generation is negative. */
    private static final long NONE = -1;

    private final Transactions transactions;
    private final SqlFiles sql;
    private final ScheduleStatements schedules;
    private final Settling settles;
    private final Correlated correlated;
    private final TodoStore todos;

    JdbcTimerWrites(Transactions transactions, Dialect dialect, TodoRows todoRows) {
        this.transactions = transactions;
        this.sql = dialect.sql();
        this.schedules = dialect.schedules();
        this.settles = new Settling(dialect);
        this.correlated = new JdbcCorrelated(transactions, dialect);
        this.todos = new JdbcTodoStore(transactions, sql, todoRows);
    }

    @Override
    public List<ScheduleResult> schedule(List<NewTimer> timers) {
        return timers.isEmpty() ? List.of() : schedules.schedule(transactions, timers);
    }

    @Override
    public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
        Work<Boolean> cancel = handle -> cancelIfScheduled(handle, key, now, inDelivery);
        boolean cancelled = transactions.single("cancel", key, cancel);
        return cancelled
                ? CancelResult.CANCELLED
                : transactions.run("cancel", key, handle -> refuse(handle, key, cancel));
    }

    private boolean cancelIfScheduled(Handle handle, TimerKey key, Instant now, OptionalLong inDelivery) {
        return handle.createUpdate(sql.text("cancel"))
                        .bind("tenantId", key.tenantId())
                        .bind("timerId", key.timerId())
                        .bind("scope", key.scope())
                        .bind("now", Micros.toLong(now))
                        .bind("inDelivery", inDelivery.orElse(NONE))
                        .execute()
                > 0;
    }

    /** Tells why nothing was cancelled, unless the timer was scheduled just now. */
    private CancelResult refuse(Handle handle, TimerKey key, Work<Boolean> cancel) throws SQLException {
        Optional<String> state = handle.createQuery(sql.text("lock_state"))
                .bind("tenantId", key.tenantId())
                .bind("timerId", key.timerId())
                .bind("scope", key.scope())
                .mapTo(String.class)
                .findOne();
        if (state.isEmpty()) {
            return CancelResult.NOT_FOUND;
        }
        boolean cancelled = state.get().equals(TimerState.SCHEDULED.name()) && cancel.run(handle);
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
    public TodoStore todos() {
        return todos;
    }
}
