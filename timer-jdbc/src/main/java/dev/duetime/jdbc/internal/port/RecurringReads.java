package dev.duetime.jdbc.internal.port;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.RecurringTimers;
import dev.duetime.admin.TimerSummary;
import dev.duetime.internal.ViewLimits;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.row.Conditions;
import dev.duetime.jdbc.internal.row.StandingRow;
import dev.duetime.jdbc.internal.row.TimerRows;
import dev.duetime.jdbc.internal.sql.KeyList;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.store.TimerVersion;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The reads of timers that recur, for pages of operators. Thread-safe. */
final class RecurringReads {
    /** The number of scheduled timers to examine where no index finds those that recur. */
    private static final int LOOKED = 1_000;

    private final Transactions transactions;
    private final QueryReads queries;
    private final Dialect dialect;
    private final SqlFiles sql;

    RecurringReads(Transactions transactions, QueryReads queries, Dialect dialect) {
        this.transactions = transactions;
        this.queries = queries;
        this.dialect = dialect;
        sql = dialect.sql();
    }

    RecurringTimers recurring(@Nullable String tenantId, @Nullable TimerKey after, int limit) {
        ViewLimits.page(limit);
        return transactions.single(
                "query",
                "timers",
                handle -> dialect.indexesRecurring()
                        ? indexed(handle, tenantId, after, limit)
                        : examined(handle, tenantId, after, limit));
    }

    private RecurringTimers indexed(Handle handle, @Nullable String tenantId, @Nullable TimerKey after, int limit) {
        TimerQuery query =
                tenantId == null ? TimerQuery.all() : TimerQuery.all().tenantId(tenantId);
        Conditions conditions = Conditions.of(query);
        if (after != null) {
            conditions.after(after.tenantId(), after.timerId(), after.scope());
        }
        if (dialect.plansForAverages()) {
            conditions.tenantAsRange();
        }
        List<Optional<TimerSummary>> rows = conditions
                .query(handle, sql, "recurring", limit, limit)
                .map((row, context) -> timer(row))
                .list();
        List<TimerSummary> found = rows.stream().flatMap(Optional::stream).toList();
        boolean isFull = rows.size() == limit && !found.isEmpty();
        return new RecurringTimers(found, isFull ? found.get(found.size() - 1).key() : null);
    }

    /** Returns the timer of a row; empty if its key is none. */
    private static Optional<TimerSummary> timer(ResultSet row) throws SQLException {
        return TimerRows.keyOrNull(row) == null
                ? Optional.empty()
                : Optional.of(TimerSummary.of(StandingRow.of(row).timer()));
    }

    /** Looks at the versions of scheduled timers, and reads the summaries of those that recur. */
    private RecurringTimers examined(Handle handle, @Nullable String tenantId, @Nullable TimerKey after, int limit) {
        TimerQuery all = TimerQuery.all().state(TimerState.SCHEDULED).limit(LOOKED);
        TimerQuery ofTenant = tenantId == null ? all : all.tenantId(tenantId);
        TimerVersion.Page page =
                queries.examinedVersions(handle, after == null ? ofTenant : ofTenant.after(after), null, LOOKED);
        List<TimerKey> recurring = page.timers().stream()
                .filter(TimerVersion::recurs)
                .map(TimerVersion::key)
                .limit(limit)
                .toList();
        boolean isFull = recurring.size() == limit;
        return new RecurringTimers(summaries(handle, recurring), isFull ? recurring.get(limit - 1) : page.next());
    }

    /** Reads timers that may have changed since they were found, in the order of the keys. */
    private List<TimerSummary> summaries(Handle handle, List<TimerKey> keys) {
        Map<TimerKey, TimerSummary> found = new HashMap<>();
        for (KeyList some : KeyList.split(keys)) {
            some.query(handle, sql, "summaries")
                    .map((row, context) -> TimerSummary.of(StandingRow.of(row).timer()))
                    .filter(timer -> timer.state() == TimerState.SCHEDULED && timer.recurrence() != null)
                    .forEach(timer -> found.put(timer.key(), timer));
        }
        return keys.stream().map(found::get).filter(Objects::nonNull).toList();
    }
}
