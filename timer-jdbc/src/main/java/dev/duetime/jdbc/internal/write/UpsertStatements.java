package dev.duetime.jdbc.internal.write;

import dev.duetime.TimerKey;
import dev.duetime.jdbc.internal.row.Revisions;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.store.NewTimer;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The statements of an upsert that decides in the database what to write. Implementations are thread-safe. */
interface UpsertStatements {

    /**
     * Writes the timers for which the condition holds; they are distinct and sorted. Returns the revision of each, or
     * {@link Revisions#HELD_BACK}.
     *
     * @param waitsBriefly as {@link Transactions#waitsBriefly}
     */
    int[] write(Handle handle, List<NewTimer> timers, boolean waitsBriefly);

    /**
     * Returns whether {@link #insert} is cheaper than {@link #write} for timers that are all new. False by default:
     * then there is no such statement.
     */
    default boolean insertsNew() {
        return false;
    }

    /**
     * Writes timers with new keys; they are distinct and sorted. Throws {@link NotInserted} if a key exists or a
     * trigger has left out a timer: then the transaction must be rolled back.
     *
     * @param waitsBriefly as {@link Transactions#waitsBriefly}
     */
    default void insert(Handle handle, List<NewTimer> timers, boolean waitsBriefly) {
        throw new UnsupportedOperationException("insert");
    }

    /** Reads the rows of keys that were held back; each row has its key, {@code state} and {@code generation}. */
    <R> List<R> standing(Handle handle, List<TimerKey> keys, DriverStatement.RowReader<R> row);
}
