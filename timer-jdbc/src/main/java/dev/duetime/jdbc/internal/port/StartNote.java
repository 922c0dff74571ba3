package dev.duetime.jdbc.internal.port;

import dev.duetime.TimerKey;
import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.dialect.LockWaits;
import dev.duetime.jdbc.internal.row.Places;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.write.NotWritten;
import dev.duetime.store.LockedException;
import java.sql.SQLException;
import java.time.Instant;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * The note in a row that its todo is running. It waits briefly for a row that another transaction holds. Thread-safe.
 */
public final class StartNote {
    private final Transactions transactions;
    private final Dialect dialect;
    private final @Nullable DriverStatement limited;
    private final DriverStatement statement;

    public StartNote(Transactions transactions, Dialect dialect) {
        this.transactions = transactions;
        this.dialect = dialect;
        String limitWaits = dialect.limitWaits();
        statement = dialect.sql().driver("start");
        limited = limitWaits == null ? null : dialect.sql().driverAfter(limitWaits, "start");
    }

    /**
     * Writes the note, unless the row has another generation by now. Returns whether it was written.
     *
     * @throws LockedException if another transaction holds the timer
     */
    public boolean write(TimerKey key, long generation, Instant now) {
        DriverStatement.Binder binder = (prepared, position, parameter) -> {
            switch (parameter.name()) {
                case "tenantId" -> prepared.setString(position, key.tenantId());
                case "timerId" -> prepared.setString(position, key.timerId());
                case "scope" -> prepared.setString(position, key.scope());
                case "generation" -> prepared.setLong(position, generation);
                default -> prepared.setLong(position, Micros.toLong(now));
            }
        };
        Places places = dialect.places();
        if (places != null) {
            places.take(key, generation); // The note moves the row.
        }
        try {
            return limited == null
                    ? transactions.run(
                            "start",
                            key,
                            handle -> unlessLocked(
                                    handle,
                                    same -> dialect.briefly(same, brief -> statement.update(brief, binder) > 0)))
                    : transactions.single(
                            "start", key, handle -> unlessLocked(handle, same -> limited.update(same, binder) > 0));
        } catch (NotWritten e) {
            throw new LockedException("start", key, Failures.withoutValues(e.reason));
        }
    }

    private boolean unlessLocked(Handle handle, Transactions.Work<Boolean> work) throws SQLException {
        try {
            return dialect.limited(handle, LockWaits.LONGEST_WAIT, work);
        } catch (SQLException | JdbiException e) {
            if (Failures.any(e, dialect::isLockTimeout)) {
                throw new NotWritten(true, e);
            }
            throw e;
        }
    }
}
