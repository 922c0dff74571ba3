package dev.duetime.jdbc.internal.port;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.TimerCount;
import dev.duetime.admin.TimerSummary;
import dev.duetime.internal.LimitException;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.row.Conditions;
import dev.duetime.jdbc.internal.row.StandingRow;
import dev.duetime.jdbc.internal.row.TimerRows;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.store.TimerVersion;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reads for operators and users. Each statement examines a limited number of timers, however many there are, unless
 * the query allows a scan. Thread-safe.
 */
public final class QueryReads {
    private static final Logger LOG = LoggerFactory.getLogger(QueryReads.class);

    /** The number of timers to examine for a page or a count: about 15 ms if PostgreSQL's cache holds none of them. */
    private static final int LOOKED = 2_000;

    /** The number of index entries to count: about 30 ms on MariaDB. */
    private static final int COUNTED = 50_000;

    /** The number of timers to count with conditions that no index answers: about 35 ms on PostgreSQL. */
    private static final int COUNTED_ROWS = 5_000;

    private final SqlFiles sql;
    private final boolean indexesEachState;
    private final boolean plansForAverages;

    /**
     * Creates the statements.
     *
     * @param dialect whose statements they are
     */
    public QueryReads(Dialect dialect) {
        sql = dialect.sql();
        indexesEachState = dialect.indexesEachState();
        plansForAverages = dialect.plansForAverages();
    }

    /**
     * Returns one page.
     *
     * @throws LimitException if it would have to examine too many timers
     */
    public List<StoredTimer> matching(Handle handle, TimerQuery asked) {
        return matching(handle, asked, Conditions::whole);
    }

    /**
     * Returns one page without payloads.
     *
     * @throws LimitException if it would have to examine too many timers
     */
    List<TimerSummary> listed(Handle handle, TimerQuery asked) {
        return matching(handle, asked, Conditions::listed).stream()
                .map(TimerSummary::of)
                .toList();
    }

    private List<StoredTimer> matching(Handle handle, TimerQuery asked, UnaryOperator<Conditions> form) {
        RawKey from = RawKey.of(asked.after());
        List<StoredTimer> found = new ArrayList<>();
        boolean filters = filters(asked);
        while (true) {
            RawKey start = from;
            int limit = asked.limit() - found.size();
            int looked = filters ? Math.max(LOOKED, limit) : limit;
            List<Row<StoredTimer>> read =
                    page(handle, "query", form.apply(conditions(handle, asked, start)), looked, limit);
            if (filters && read.size() < limit && hasMore(handle, asked, start, looked)) {
                refuseUnlessFew(handle, asked, looked);
                read = page(handle, "query_few", form.apply(conditions(handle, asked, start)), looked, limit);
            }
            read.stream().map(Row::found).filter(Objects::nonNull).forEach(found::add);
            if (read.size() < limit || found.size() == asked.limit()) {
                return found;
            }
            from = read.get(read.size() - 1).key();
        }
    }

    private List<Row<StoredTimer>> page(Handle handle, String statement, Conditions conditions, int looked, int limit) {
        return conditions
                .query(handle, sql, statement, looked, limit)
                .map((row, context) -> row(
                        row,
                        TimerRows.keyOrNull(row) == null
                                ? null
                                : StandingRow.of(row).timer()))
                .list();
    }

    /** Returns whether the index may find timers that do not match the query. */
    private boolean filters(TimerQuery asked) {
        TimerState state = asked.state();
        boolean isFound = state == null || state == TimerState.DEAD || indexesEachState;
        return !isFound
                || asked.queue() != null
                || asked.type() != null
                || asked.dueFrom() != null
                || asked.dueBefore() != null
                || !Conditions.indexAnswers(asked);
    }

    /**
     * Counts timers by queue and state.
     *
     * @throws LimitException if it would have to examine too many timers
     */
    List<TimerCount> count(Handle handle, TimerQuery asked) {
        if (asked.equals(ofScheduled(asked))) {
            return countScheduled(handle, asked);
        }
        List<TimerCount> counts = counts(handle, conditions(handle, asked, null), "count", LOOKED);
        if (hasMore(handle, asked, null, LOOKED)) {
            refuseUnlessFew(handle, asked, LOOKED);
            return counts(handle, conditions(handle, asked, null), "count_few", LOOKED);
        }
        return counts;
    }

    private List<TimerCount> countScheduled(Handle handle, TimerQuery asked) {
        List<TimerCount> counts = counts(handle, conditions(handle, asked, null), "count_scheduled", COUNTED);
        if (!asked.scans() && timers(counts) == COUNTED) {
            throw tooMany(COUNTED);
        }
        return counts;
    }

    /** Counts no further than a bound, and is never refused. */
    BoundedCount countUpTo(Handle handle, TimerQuery asked, int most) {
        TimerQuery query = unpaged(asked);
        int looked = most + 1;
        long found;
        boolean isExact;
        if (query.equals(ofScheduled(query))) {
            found = scheduledUpTo(handle, query.queue(), looked);
            isExact = found < looked;
        } else if (!filters(query)) {
            found = conditions(handle, query, null)
                    .query(handle, sql, "count_keys", looked, looked)
                    .mapTo(Long.class)
                    .one();
            isExact = found < looked;
        } else {
            looked = Math.min(Math.max(LOOKED, looked), COUNTED_ROWS);
            found = timers(counts(handle, conditions(handle, query, null), "count", looked));
            isExact = !hasMore(handle, query, null, looked);
            if (!isExact && query.state() == TimerState.SCHEDULED && fewAreScheduled(handle, query.queue(), looked)) {
                found = timers(counts(handle, conditions(handle, query, null), "count_few", looked));
                isExact = true;
            }
        }
        return new BoundedCount(Math.min(found, most), isExact && found <= most);
    }

    private static TimerQuery unpaged(TimerQuery asked) {
        return new TimerQuery(
                asked.state(),
                asked.queue(),
                asked.tenantId(),
                asked.type(),
                asked.dueFrom(),
                asked.dueBefore(),
                null,
                1,
                false,
                asked.filters());
    }

    /** Returns whether there are more dead timers than were examined. */
    boolean hasMoreDead(Handle handle, @Nullable String tenantId, int looked) {
        TimerQuery dead = TimerQuery.all().state(TimerState.DEAD);
        return hasMore(handle, tenantId == null ? dead : dead.tenantId(tenantId), null, looked);
    }

    /** Returns the query that one index answers: all scheduled timers, or those of one queue. */
    private static TimerQuery ofScheduled(TimerQuery asked) {
        return new TimerQuery(
                TimerState.SCHEDULED,
                asked.queue(),
                null,
                null,
                null,
                null,
                asked.after(),
                asked.limit(),
                asked.scans(),
                TimerQuery.Filters.NONE);
    }

    private List<TimerCount> counts(Handle handle, Conditions conditions, String statement, int looked) {
        return conditions
                .query(handle, sql, statement, looked, looked)
                .map((row, context) -> new TimerCount(
                        row.getString("queue"), StandingRow.state(row.getString("state")), row.getLong("timers")))
                .list();
    }

    /** Reads a page, which ends early if too many of the timers that it examined do not match. */
    TimerVersion.Page versions(Handle handle, TimerQuery asked, @Nullable Instant endedBefore) {
        if (asked.state() == TimerState.SCHEDULED
                && endedBefore == null
                && fewAreScheduled(handle, asked.queue(), LOOKED)) {
            return page(fewVersions(handle, asked), asked);
        }
        RawKey from = RawKey.of(asked.after());
        List<TimerVersion> found = new ArrayList<>();
        while (true) {
            List<Row<TimerVersion>> read = conditions(handle, asked, from)
                    .query(handle, sql, "query_versions", LOOKED, LOOKED)
                    .map((row, context) ->
                            row(row, VersionFilter.matches(row, asked, endedBefore) ? version(row) : null))
                    .list();
            for (Row<TimerVersion> each : read) {
                TimerVersion version = each.found();
                if (version != null) {
                    found.add(version);
                }
                if (found.size() == asked.limit()) {
                    return page(found, asked);
                }
            }
            if (read.size() < LOOKED) {
                return new TimerVersion.Page(found, null);
            }
            from = read.get(read.size() - 1).key();
            TimerKey looked = from.key();
            if (looked != null) {
                return new TimerVersion.Page(found, looked);
            }
        }
    }

    private static TimerVersion.Page page(List<TimerVersion> found, TimerQuery asked) {
        boolean isFull = found.size() == asked.limit();
        return new TimerVersion.Page(found, isFull ? found.get(found.size() - 1).key() : null);
    }

    private List<TimerVersion> fewVersions(Handle handle, TimerQuery asked) {
        return conditions(handle, asked, RawKey.of(asked.after()))
                .listed()
                .query(handle, sql, "query_few", LOOKED, LOOKED)
                .map((row, context) -> row(row, version(row)))
                .stream()
                .map(Row::found)
                .filter(Objects::nonNull)
                .limit(asked.limit())
                .toList();
    }

    private static @Nullable TimerVersion version(ResultSet row) throws SQLException {
        return TimerRows.keyOrNull(row) == null
                ? null
                : new TimerVersion(
                        TimerRows.key(row),
                        row.getLong("generation"),
                        StandingRow.state(row.getString("state")),
                        row.getString("recurrence") != null);
    }

    /** Returns what a statement tests. */
    Conditions conditions(Handle handle, TimerQuery asked, @Nullable RawKey after) {
        Conditions all = Conditions.of(asked);
        if (indexesEachState && asked.state() == TimerState.DEAD && !hasUnknownStates(handle)) {
            all.withoutUnknownStates();
        }
        if (after != null) {
            all.after(after.tenantId(), after.timerId(), after.scope());
        }
        if (plansForAverages) {
            all.tenantAsRange();
        }
        return asked.scans() ? all : all.bounded();
    }

    private boolean hasUnknownStates(Handle handle) {
        return handle.createQuery(sql.text("unknown_state"))
                .mapTo(String.class)
                .findFirst()
                .isPresent();
    }

    /** Returns whether there are more timers than were examined, so that an answer would not be complete. */
    private boolean hasMore(Handle handle, TimerQuery asked, @Nullable RawKey after, int looked) {
        return !asked.scans()
                && conditions(handle, asked, after)
                        .query(handle, sql, "query_more", looked, looked)
                        .mapTo(String.class)
                        .findFirst()
                        .isPresent();
    }

    /** Refuses a query, unless it is for scheduled timers and these are few enough to examine all of them. */
    private void refuseUnlessFew(Handle handle, TimerQuery asked, int looked) {
        if (asked.state() != TimerState.SCHEDULED || !fewAreScheduled(handle, asked.queue(), looked)) {
            throw tooMany(looked);
        }
    }

    private boolean fewAreScheduled(Handle handle, @Nullable String queue, int few) {
        return scheduledUpTo(handle, queue, few + 1) <= few;
    }

    private long scheduledUpTo(Handle handle, @Nullable String queue, int most) {
        return Conditions.ofQueue(queue)
                .query(handle, sql, "count_scheduled_up_to", most, most)
                .mapTo(Long.class)
                .one();
    }

    private static long timers(List<TimerCount> counts) {
        return counts.stream().mapToLong(TimerCount::timers).sum();
    }

    private static LimitException tooMany(int looked) {
        return new LimitException(
                "query",
                "query must be answered by looking at %,d timers at most but there are more; name a tenant, or"
                                .formatted(looked)
                        + " one of the states SCHEDULED and DEAD, or both, or call allowScan() to look at all timers");
    }

    private static <T> Row<T> row(ResultSet row, @Nullable T found) throws SQLException {
        if (TimerRows.keyOrNull(row) == null) {
            LOG.warn("a row is not shown, since its key is none of a timer: {}", TimerRows.keyText(row));
        }
        return new Row<>(
                new RawKey(row.getString("tenant_id"), row.getString("timer_id"), row.getString("scope")), found);
    }

    private record Row<T>(RawKey key, @Nullable T found) {}
}
