package dev.duetime.jdbc.internal.write;

import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Advanced;
import dev.duetime.store.Settlement.Deleted;
import dev.duetime.store.Settlement.Ended;
import dev.duetime.store.Settlement.Moved;
import dev.duetime.store.Settlement.Retried;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * The statements that write outcomes of one kind. An outcome is written only if key and generation still match a
 * scheduled timer. Each method returns how many were written. The lists are sorted by key and not empty.
 * Implementations are thread-safe.
 */
public interface SettleStatements {

    int ended(Handle handle, List<Ended> outcomes);

    int deleted(Handle handle, List<Deleted> outcomes);

    int retried(Handle handle, List<Retried> outcomes);

    int moved(Handle handle, List<Moved> outcomes);

    int advanced(Handle handle, List<Advanced> outcomes);

    /** Returns whether these outcomes, all of one kind, are likely to be written by one statement. */
    boolean isOneStatement(List<Settlement> outcomes);

    /** Returns whether the statements themselves limit their waits for rows that other transactions hold. */
    boolean limitsWaits();
}
