package dev.duetime.jdbc.internal.write;

import dev.duetime.StoredTimer.Failure;
import dev.duetime.jdbc.internal.row.Columns;
import dev.duetime.jdbc.internal.row.Places;
import dev.duetime.jdbc.internal.row.TimerRows;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Advanced;
import dev.duetime.store.Settlement.Deleted;
import dev.duetime.store.Settlement.Ended;
import dev.duetime.store.Settlement.Moved;
import dev.duetime.store.Settlement.Retried;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A way to settle with one statement a kind, which takes an array for each column. What ends is looked for in its place
 * first, if that is known, and then by key: a row may have moved since it was read, for instance by VACUUM FULL.
 */
public final class SettleByArrays implements SettleStatements {
    private final SqlFiles sql;
    private final boolean namesTenants;
    private final @Nullable Places places;
    private final @Nullable String lockTimeout;

    /**
     * Creates the statements.
     *
     * @param namesTenants whether they also take the set of all tenants
     * @param places where due rows were read; null if rows have no places
     * @param lockTimeout how many milliseconds they wait for a row that another transaction holds; null for the
     *     database's setting
     */
    public SettleByArrays(SqlFiles sql, boolean namesTenants, @Nullable Places places, @Nullable String lockTimeout) {
        this.sql = sql;
        this.namesTenants = namesTenants;
        this.places = places;
        this.lockTimeout = lockTimeout;
    }

    @Override
    public int ended(Handle handle, List<Ended> outcomes) {
        Columns<Ended> columns = matched(outcomes)
                .text("state", outcome -> outcome.state().name())
                .instant("at", Ended::at)
                .integer("attempt", Ended::attempt);
        bindFailures(columns, Ended::failure);
        return settled("settle_ended", handle, outcomes, columns);
    }

    @Override
    public int deleted(Handle handle, List<Deleted> outcomes) {
        return settled("settle_deleted", handle, outcomes, matched(outcomes));
    }

    private <S extends Settlement> int settled(String statement, Handle handle, List<S> outcomes, Columns<S> columns) {
        int inPlace = 0;
        if (columns.places(places, outcomes)) {
            inPlace = sql.driver(statement + "_in_place").update(handle, columns);
        }
        return inPlace == outcomes.size()
                ? inPlace
                : inPlace + sql.driver(statement).update(handle, columns);
    }

    @Override
    public int retried(Handle handle, List<Retried> outcomes) {
        Columns<Retried> columns =
                matched(outcomes).instant("wakeAt", Retried::wakeAt).integer("attempt", Retried::attempt);
        bindFailures(columns, Retried::failure);
        return sql.driver("settle_retried").update(handle, columns);
    }

    @Override
    public int moved(Handle handle, List<Moved> outcomes) {
        Columns<Moved> columns = matched(outcomes)
                .bigint("nextGeneration", Moved::nextGeneration)
                .instant("dueAt", Moved::dueAt)
                .instant("expiresAt", Moved::expiresAt)
                .instant("previousAt", Moved::previousAt);
        bindFailures(columns, Moved::failure);
        return sql.driver("settle_moved").update(handle, columns);
    }

    @Override
    public int advanced(Handle handle, List<Advanced> outcomes) {
        Columns<Advanced> columns = matched(outcomes)
                .bigint("nextGeneration", outcome -> outcome.next().generation())
                .text("step", outcome -> outcome.next().content().step())
                .instant("dueAt", outcome -> outcome.next().dueAt())
                .instant("wakeAt", outcome -> outcome.next().wakeAt())
                .instant("expiresAt", outcome -> outcome.next().content().expiresAt())
                .integer("priority", outcome -> outcome.next().content().priority())
                .integer("attempt", outcome -> outcome.next().attempt())
                .bytes("payload", TimerRows::newPayload);
        bindFailures(columns, outcome -> outcome.next().failure());
        return sql.driver("settle_advanced").update(handle, columns);
    }

    /**
     * No, if only some of the places are known: if the statement by key then met a held row, those that were written in
     * their places would have to be undone.
     */
    @Override
    public boolean isOneStatement(List<Settlement> outcomes) {
        return places == null || !isPlaced(outcomes.get(0)) || places.knowsAllOrNone(outcomes);
    }

    private static boolean isPlaced(Settlement outcome) {
        return outcome instanceof Ended || outcome instanceof Deleted;
    }

    /** The form for several servers does not limit its waits itself: only settings of a transaction reach them. */
    @Override
    public boolean limitsWaits() {
        return lockTimeout != null && !namesTenants;
    }

    private <S extends Settlement> Columns<S> matched(List<S> outcomes) {
        Columns<S> columns = new Columns<>(outcomes)
                .setting("lockTimeout", lockTimeout)
                .text("tenantId", outcome -> outcome.key().tenantId())
                .text("timerId", outcome -> outcome.key().timerId())
                .text("scope", outcome -> outcome.key().scope())
                .bigint("generation", Settlement::generation);
        return namesTenants ? columns.tenants(outcomes.stream().map(Settlement::key)) : columns;
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
