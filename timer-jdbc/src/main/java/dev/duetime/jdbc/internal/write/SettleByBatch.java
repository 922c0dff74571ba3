package dev.duetime.jdbc.internal.write;

import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.row.TimerRows;
import dev.duetime.jdbc.internal.sql.Batches;
import dev.duetime.jdbc.internal.sql.KeyList;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Advanced;
import dev.duetime.store.Settlement.Deleted;
import dev.duetime.store.Settlement.Ended;
import dev.duetime.store.Settlement.Moved;
import dev.duetime.store.Settlement.Retried;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** A way to settle with a batch of statements, each for one timer. */
public final class SettleByBatch implements SettleStatements {
    private final SqlFiles sql;
    private final @Nullable String lock;

    public SettleByBatch(SqlFiles sql) {
        this(sql, null);
    }

    /**
     * Creates the statements.
     *
     * @param lock the statement that locks all rows before the batch, and fails at once if another transaction holds
     *     one; null for none
     */
    public SettleByBatch(SqlFiles sql, @Nullable String lock) {
        this.sql = sql;
        this.lock = lock;
    }

    @Override
    public int ended(Handle handle, List<Ended> outcomes) {
        return execute(handle, "settle_ended", outcomes, outcome -> {
            Map<String, @Nullable Object> parameters = parameters(outcome);
            parameters.put("state", outcome.state().name());
            parameters.put("at", Micros.toLong(outcome.at()));
            parameters.put("attempt", outcome.attempt());
            putFailure(parameters, outcome.failure());
            return parameters;
        });
    }

    @Override
    public int deleted(Handle handle, List<Deleted> outcomes) {
        return execute(handle, "settle_deleted", outcomes, SettleByBatch::parameters);
    }

    @Override
    public int retried(Handle handle, List<Retried> outcomes) {
        return execute(handle, "settle_retried", outcomes, outcome -> {
            Map<String, @Nullable Object> parameters = parameters(outcome);
            parameters.put("wakeAt", Micros.toLong(outcome.wakeAt()));
            parameters.put("attempt", outcome.attempt());
            putFailure(parameters, outcome.failure());
            return parameters;
        });
    }

    @Override
    public int moved(Handle handle, List<Moved> outcomes) {
        return execute(handle, "settle_moved", outcomes, outcome -> {
            Map<String, @Nullable Object> parameters = parameters(outcome);
            parameters.put("nextGeneration", outcome.nextGeneration());
            parameters.put("dueAt", Micros.toLong(outcome.dueAt()));
            parameters.put("expiresAt", TimerRows.micros(outcome.expiresAt()));
            parameters.put("previousAt", TimerRows.micros(outcome.previousAt()));
            putFailure(parameters, outcome.failure());
            return parameters;
        });
    }

    @Override
    public int advanced(Handle handle, List<Advanced> outcomes) {
        return execute(handle, "settle_advanced", outcomes, outcome -> {
            StoredTimer next = outcome.next();
            Map<String, @Nullable Object> parameters = parameters(outcome);
            parameters.put("nextGeneration", next.generation());
            parameters.put("step", next.content().step());
            parameters.put("dueAt", Micros.toLong(next.dueAt()));
            parameters.put("wakeAt", TimerRows.micros(next.wakeAt()));
            parameters.put("expiresAt", TimerRows.micros(next.content().expiresAt()));
            parameters.put("priority", next.content().priority());
            parameters.put("attempt", next.attempt());
            parameters.put("payload", TimerRows.newPayload(outcome));
            putFailure(parameters, next.failure());
            return parameters;
        });
    }

    @Override
    public boolean isOneStatement(List<Settlement> outcomes) {
        return false;
    }

    @Override
    public boolean limitsWaits() {
        return false;
    }

    private <S extends Settlement> int execute(
            Handle handle, String statement, List<S> outcomes, Function<S, Map<String, @Nullable Object>> parameters) {
        lock(handle, outcomes);
        return IntStream.of(Batches.count(handle, sql.text(statement), outcomes, parameters))
                .sum();
    }

    /** Locks the rows of the outcomes, where that is done first. */
    void lock(Handle handle, List<? extends Settlement> outcomes) {
        if (lock != null) {
            for (KeyList some :
                    KeyList.split(outcomes.stream().map(Settlement::key).toList())) {
                some.query(handle, sql, lock).mapTo(Long.class).list();
            }
        }
    }

    private static Map<String, @Nullable Object> parameters(Settlement outcome) {
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("tenantId", outcome.key().tenantId());
        parameters.put("timerId", outcome.key().timerId());
        parameters.put("scope", outcome.key().scope());
        parameters.put("generation", outcome.generation());
        return parameters;
    }

    private static void putFailure(Map<String, @Nullable Object> parameters, @Nullable Failure failure) {
        parameters.put("error", TimerRows.error(failure));
        parameters.put("firstFailedAt", failure == null ? null : Micros.toLong(failure.firstAt()));
        parameters.put("lastFailedAt", failure == null ? null : Micros.toLong(failure.lastAt()));
    }
}
