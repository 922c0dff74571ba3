package dev.duetime.jdbc;

import dev.duetime.StoredTimer.Failure;
import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Deleted;
import dev.duetime.store.Settlement.Ended;
import dev.duetime.store.Settlement.Moved;
import dev.duetime.store.Settlement.Retried;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/** Settles by one statement a kind, which takes an array for each column. */
final class SettleByArrays implements SettleStatements {
    private final SqlFiles sql;
    private final boolean namesTenants;

    /**
     * Creates the statements.
     *
     * @param namesTenants whether they also take all tenants that occur, once each
     */
    SettleByArrays(SqlFiles sql, boolean namesTenants) {
        this.sql = sql;
        this.namesTenants = namesTenants;
    }

    @Override
    public int ended(Handle handle, List<Ended> outcomes) {
        Update update = handle.createUpdate(sql.text("settle_ended"));
        Columns<Ended> columns = matched(outcomes, update)
                .text("state", outcome -> outcome.state().name())
                .instant("at", Ended::at)
                .integer("attempt", Ended::attempt);
        bindFailures(columns, Ended::failure);
        return update.execute();
    }

    @Override
    public int deleted(Handle handle, List<Deleted> outcomes) {
        Update update = handle.createUpdate(sql.text("settle_deleted"));
        matched(outcomes, update);
        return update.execute();
    }

    @Override
    public int retried(Handle handle, List<Retried> outcomes) {
        Update update = handle.createUpdate(sql.text("settle_retried"));
        Columns<Retried> columns =
                matched(outcomes, update).instant("wakeAt", Retried::wakeAt).integer("attempt", Retried::attempt);
        bindFailures(columns, Retried::failure);
        return update.execute();
    }

    @Override
    public int moved(Handle handle, List<Moved> outcomes) {
        Update update = handle.createUpdate(sql.text("settle_moved"));
        Columns<Moved> columns = matched(outcomes, update)
                .bigint("nextGeneration", Moved::nextGeneration)
                .instant("dueAt", Moved::dueAt)
                .instant("expiresAt", Moved::expiresAt)
                .instant("previousAt", Moved::previousAt);
        bindFailures(columns, Moved::failure);
        return update.execute();
    }

    @Override
    public boolean isOneStatement() {
        return true;
    }

    private <S extends Settlement> Columns<S> matched(List<S> outcomes, Update update) {
        if (namesTenants) {
            Columns.tenants(outcomes.stream().map(Settlement::key), update);
        }
        return new Columns<>(outcomes, update)
                .text("tenantId", outcome -> outcome.key().tenantId())
                .text("timerId", outcome -> outcome.key().timerId())
                .bigint("generation", Settlement::generation);
    }

    private static <S> void bindFailures(Columns<S> columns, Function<S, @Nullable Failure> failure) {
        columns.text("error", outcome -> TimerRows.error(failure.apply(outcome)))
                .instant("firstFailedAt", outcome -> firstAt(failure.apply(outcome)))
                .instant("lastFailedAt", outcome -> lastAt(failure.apply(outcome)));
    }

    private static @Nullable Instant firstAt(@Nullable Failure failure) {
        return failure == null ? null : failure.firstAt();
    }

    private static @Nullable Instant lastAt(@Nullable Failure failure) {
        return failure == null ? null : failure.lastAt();
    }
}
