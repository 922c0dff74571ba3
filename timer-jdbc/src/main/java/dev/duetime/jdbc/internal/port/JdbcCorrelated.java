package dev.duetime.jdbc.internal.port;

import dev.duetime.StoredTimer;
import dev.duetime.internal.Limits;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.row.DueRow;
import dev.duetime.jdbc.internal.sql.Batches;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.store.CollisionException;
import dev.duetime.store.Correlated;
import java.time.Instant;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The locks on correlation keys, and the search for the waiting timers of a key, in the transactions of the timers. As
 * thread-safe as the transactions.
 */
final class JdbcCorrelated implements Correlated {
    /**
     * All nodes must use the same number, because otherwise their locks do not exclude each other. The schema's
     * comments quote it.
     */
    private static final int SLOTS = 64;

    /** How often the search repeats because another transaction changed the row that it found. */
    private static final int ATTEMPTS = 20;

    private final Transactions transactions;
    private final SqlFiles sql;
    private final Dialect.Traits traits;
    private final String look;

    JdbcCorrelated(Transactions transactions, Dialect dialect) {
        this.transactions = transactions;
        this.sql = dialect.sql();
        this.traits = dialect.traits();
        boolean old = transactions.isJoined() && traits.hidesCommits();
        this.look = old ? "look_for_waiting_now" : "look_for_waiting";
    }

    @Override
    public void lock(String queue, Collection<String> correlationKeys) {
        TreeSet<Integer> slots = new TreeSet<>();
        correlationKeys.forEach(key -> slots.add(slot(key)));
        transactions.run("lock correlation keys of", queue, handle -> lock(handle, queue, List.copyOf(slots)));
    }

    /**
     * Locks the slots in their order, which avoids deadlocks. If one statement cannot both lock and insert, another one
     * inserts a missing slot before the next slot is locked.
     */
    private int lock(Handle handle, String queue, List<Integer> slots) {
        Function<Integer, Map<String, @Nullable Object>> parameters = slot -> Map.of("queue", queue, "slot", slot);
        if (traits.locksAndInserts()) {
            Batches.execute(handle, sql.text("lock_merge_slot"), slots, parameters);
            return slots.size();
        }
        for (Integer slot : slots) {
            List<Integer> one = List.of(slot);
            if (Batches.count(handle, sql.text("lock_merge_slot"), one, parameters)[0] == 0) {
                Batches.execute(handle, sql.text("insert_merge_slot"), one, parameters);
            }
        }
        return slots.size();
    }

    /** Java specifies the hash of a text, so every node gets the same slot. */
    private static int slot(String correlationKey) {
        int hash = correlationKey.hashCode();
        return Math.floorMod(hash ^ (hash >>> 16), SLOTS);
    }

    @Override
    public Optional<StoredTimer> waiting(String queue, String tenantId, String correlationKey, String type) {
        return transactions.run(
                "find the waiting timer in",
                queue,
                handle -> latestReadable(handle, queue, tenantId, correlationKey, type));
    }

    private Optional<StoredTimer> latestReadable(
            Handle handle, String queue, String tenantId, String correlationKey, String type) {
        int passedOver = 0;
        for (int attempt = 0; attempt < ATTEMPTS; ) {
            Optional<DueRow> found = handle.createQuery(sql.text(look))
                    .bind("queue", queue)
                    .bind("tenantId", tenantId)
                    .bind("correlationKey", correlationKey)
                    .bind("type", type)
                    .bind("passedOver", passedOver)
                    .map((row, context) -> DueRow.of(row))
                    .findOne();
            StoredTimer timer = found.map(DueRow::timer).orElse(null);
            if (found.isEmpty()) {
                return Optional.empty();
            } else if (timer == null || !isSound(timer)) {
                passedOver++;
            } else {
                Optional<DueRow> locked = lock(handle, timer);
                if (locked.isPresent() && locked.get().timer() != null) {
                    return locked.map(DueRow::timer);
                }
                passedOver = 0;
                attempt++;
            }
        }
        throw new CollisionException(
                "find the waiting timer in",
                queue,
                new ConcurrentModificationException("other transactions changed the row at each attempt"));
    }

    /** Returns whether its times are legal. What is merged into it keeps them, and the row could not be written. */
    private static boolean isSound(StoredTimer timer) {
        Instant expiresAt = timer.content().expiresAt();
        return Limits.holds(timer.dueAt()) && (expiresAt == null || !expiresAt.isBefore(timer.dueAt()));
    }

    private Optional<DueRow> lock(Handle handle, StoredTimer timer) {
        return handle.createQuery(sql.text("lock_waiting"))
                .bind("tenantId", timer.key().tenantId())
                .bind("timerId", timer.key().timerId())
                .bind("scope", timer.key().scope())
                .bind("generation", timer.generation())
                .map((row, context) -> DueRow.of(row))
                .findOne();
    }
}
