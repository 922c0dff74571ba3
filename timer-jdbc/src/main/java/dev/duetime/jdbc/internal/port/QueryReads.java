package dev.duetime.jdbc.internal.port;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.DeadGroups;
import dev.duetime.admin.DeadGroups.DeadGroup;
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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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
        int repeated = 0;
        while (true) {
            int limit = asked.limit() - found.size() + 2 * repeated;
            List<Row<StoredTimer>> read = new ArrayList<>();
            for (Conditions part : parts(asked, from)) {
                read = merged(read, page(handle, asked, form.apply(part), limit), limit);
            }
            read.stream().map(Row::found).filter(Objects::nonNull).forEach(found::add);
            if (read.size() < limit || found.size() >= asked.limit()) {
                return found.subList(0, Math.min(asked.limit(), found.size()));
            }
            int named = lastNamed(read);
            from = named < 0 ? from : read.get(named).key();
            repeated = read.size() - 1 - named;
        }
    }

    /**
     * Returns the place of the last row that a statement can name, so that the next read begins after it; -1 if there
     * is none. The rows behind it are read again.
     */
    private static <T> int lastNamed(List<Row<T>> read) {
        int last = read.size() - 1;
        while (last >= 0 && !read.get(last).isWhole()) {
            last--;
        }
        return last;
    }

    private List<Row<StoredTimer>> page(Handle handle, TimerQuery asked, Conditions conditions, int limit) {
        boolean filters = filters(asked);
        int looked = filters ? Math.max(LOOKED, limit) : limit;
        List<Row<StoredTimer>> read = page(handle, "query", conditions, looked, limit);
        if (filters && read.size() < limit && hasMore(handle, asked, conditions, looked)) {
            refuseUnlessFew(handle, asked, looked);
            return page(handle, "query_few", conditions, withNewer(looked), limit);
        }
        return read;
    }

    /** Returns the first rows of both lists, which are in order. */
    private static <T> List<Row<T>> merged(List<Row<T>> one, List<Row<T>> other, int limit) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return Stream.concat(one.stream(), other.stream())
                .sorted(Comparator.comparing(Row::key, RawKey.ORDER))
                .limit(limit)
                .toList();
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
        List<TimerCount> counts = counts(handle, asked, "count", LOOKED);
        if (hasMore(handle, asked, LOOKED)) {
            refuseUnlessFew(handle, asked, LOOKED);
            return counts(handle, asked, "count_few", withNewer(LOOKED));
        }
        return counts;
    }

    private List<TimerCount> countScheduled(Handle handle, TimerQuery asked) {
        List<TimerCount> counts = counts(handle, asked, "count_scheduled", COUNTED);
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
            found = parts(query, null).stream()
                    .mapToLong(part -> part.query(handle, sql, "count_keys", most + 1, most + 1)
                            .mapTo(Long.class)
                            .one())
                    .sum();
            isExact = found < looked;
        } else {
            looked = Math.min(Math.max(LOOKED, looked), COUNTED_ROWS);
            found = timers(counts(handle, query, "count", looked));
            isExact = !hasMore(handle, query, looked);
            if (!isExact && query.state() == TimerState.SCHEDULED && fewAreScheduled(handle, query.queue(), looked)) {
                found = timers(counts(handle, query, "count_few", withNewer(looked)));
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

    /** Groups dead timers, of each part of the index no more than a bound. */
    DeadGroups deadGroups(Handle handle, TimerQuery dead, int looked) {
        List<DeadGroup> groups = parts(dead, null).stream()
                .flatMap(part -> part
                        .query(handle, sql, "dead_groups", looked, looked)
                        .map((row, context) -> new DeadGroup(
                                row.getString("queue"),
                                row.getString("type"),
                                row.getString("error_class"),
                                row.getLong("timers"),
                                TimerRows.instantOrNull(row, "last_failed_at")))
                        .list()
                        .stream())
                .toList();
        TimerQuery all = TimerQuery.all().state(TimerState.DEAD);
        String tenantId = dead.tenantId();
        return new DeadGroups(groups, !hasMore(handle, tenantId == null ? all : all.tenantId(tenantId), looked));
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

    private List<TimerCount> counts(Handle handle, TimerQuery asked, String statement, int looked) {
        Map<TimerCount, Long> counts = new LinkedHashMap<>();
        for (Conditions part : parts(asked, null)) {
            part.query(handle, sql, statement, looked, looked)
                    .map((row, context) -> new TimerCount(
                            row.getString("queue"), StandingRow.state(row.getString("state")), row.getLong("timers")))
                    .forEach(each ->
                            counts.merge(new TimerCount(each.queue(), each.state(), 0), each.timers(), Long::sum));
        }
        return counts.entrySet().stream()
                .map(each -> new TimerCount(each.getKey().queue(), each.getKey().state(), each.getValue()))
                .toList();
    }

    /** Reads a page, which ends early if too many of the timers that it examined do not match. */
    TimerVersion.Page versions(Handle handle, TimerQuery asked, @Nullable Instant endedBefore) {
        return asked.state() == TimerState.SCHEDULED
                        && endedBefore == null
                        && fewAreScheduled(handle, asked.queue(), LOOKED)
                ? page(fewVersions(handle, asked), asked)
                : examinedVersions(handle, asked, endedBefore, LOOKED);
    }

    /** Reads a page, which ends early after the given number of timers. It leaves out rows in unknown states. */
    TimerVersion.Page examinedVersions(Handle handle, TimerQuery asked, @Nullable Instant endedBefore, int looked) {
        RawKey from = RawKey.of(asked.after());
        List<TimerVersion> found = new ArrayList<>();
        int repeated = 0;
        while (true) {
            int examined = looked + 2 * repeated;
            List<Row<TimerVersion>> read = parts(asked, from)
                    .get(0)
                    .query(handle, sql, "query_versions", examined, examined)
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
            if (read.size() < examined) {
                return new TimerVersion.Page(found, null);
            }
            int named = lastNamed(read);
            repeated = read.size() - 1 - named;
            from = named < 0 ? from : read.get(named).key();
            TimerKey end = named < 0 ? null : read.get(named).key().key();
            if (end != null) {
                return new TimerVersion.Page(found, end);
            }
        }
    }

    private static TimerVersion.Page page(List<TimerVersion> found, TimerQuery asked) {
        boolean isFull = found.size() == asked.limit();
        return new TimerVersion.Page(found, isFull ? found.get(found.size() - 1).key() : null);
    }

    private List<TimerVersion> fewVersions(Handle handle, TimerQuery asked) {
        return conditions(asked, RawKey.of(asked.after()))
                .listed()
                .query(handle, sql, "query_few", withNewer(LOOKED), LOOKED)
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

    /**
     * Returns what statements test: a statement for each part of the timers that an index has in the order of their
     * keys. Dead timers are in two parts where an index has all states: rows in unknown states lie between the others.
     */
    private List<Conditions> parts(TimerQuery asked, @Nullable RawKey after) {
        return indexesEachState && asked.state() == TimerState.DEAD
                ? List.of(
                        conditions(asked, after).withoutUnknownStates(),
                        conditions(asked, after).onlyUnknownStates())
                : List.of(conditions(asked, after));
    }

    private Conditions conditions(TimerQuery asked, @Nullable RawKey after) {
        Conditions all = Conditions.of(asked);
        if (after != null) {
            all.after(after.tenantId(), after.timerId(), after.scope());
        }
        if (plansForAverages) {
            all.tenantAsRange();
        }
        return asked.scans() ? all : all.bounded();
    }

    private boolean hasMore(Handle handle, TimerQuery asked, int looked) {
        return parts(asked, null).stream().anyMatch(part -> hasMore(handle, asked, part, looked));
    }

    /** Returns whether there are more timers than were examined, so that an answer would not be complete. */
    private boolean hasMore(Handle handle, TimerQuery asked, Conditions conditions, int looked) {
        return !asked.scans()
                && conditions
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

    /**
     * Returns the bound of a statement that looks at all of few timers: as many again may come after they were counted.
     */
    private static int withNewer(int few) {
        return 2 * few;
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
                new RawKey(row.getString("tenant_id"), row.getString("timer_id"), row.getString("scope")),
                TimerRows.isWhole(row),
                found);
    }

    /**
     * A row that was read.
     *
     * @param isWhole whether the key is the stored one: see {@link TimerRows#isWhole}
     */
    private record Row<T>(
            RawKey key, boolean isWhole, @Nullable T found) {}
}
