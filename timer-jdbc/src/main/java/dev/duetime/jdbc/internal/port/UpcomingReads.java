package dev.duetime.jdbc.internal.port;

import dev.duetime.admin.TimerSummary;
import dev.duetime.admin.UpcomingQuery;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.row.MicrosecondBounds;
import dev.duetime.jdbc.internal.row.StandingRow;
import dev.duetime.jdbc.internal.row.TimerRows;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/** The reads of timers in the order in which they wake. Thread-safe. */
final class UpcomingReads {
    /** How many timers of one instant are read, of all shards together, if the index does not have them in order. */
    private static final int AT_ONE_INSTANT = 2_000;
    /** How many entries of each shard are read in addition to twice its share of a page. */
    private static final int SPARE = 8;

    private final Dialect dialect;
    private final SqlFiles sql;

    UpcomingReads(Dialect dialect) {
        this.dialect = dialect;
        sql = dialect.sql();
    }

    /** No text is greater than this one. */
    private static final RawKey LAST_KEY = new RawKey(Character.toString(Character.MAX_CODE_POINT), "", "");

    /** A place in the order: a time and a key after it. */
    private record Place(long wakeAt, RawKey key) {
        /** Behind all timers. */
        static final Place END = new Place(Long.MAX_VALUE, LAST_KEY);

        String part(String parameter) {
            return parameter.endsWith("TenantId")
                    ? key.tenantId()
                    : parameter.endsWith("TimerId") ? key.timerId() : key.scope();
        }
    }

    /** A timer of a page, its place in the order, and its shard. There is no timer if the key is none of a timer. */
    private record Found(int shard, Place place, Optional<TimerSummary> timer) {}

    /** Returns one page. */
    List<TimerSummary> page(Handle handle, UpcomingQuery query, int shards) {
        if (shards == 0) {
            return List.of();
        }
        Place from = from(query);
        List<Found> page = dialect.boundsUpcoming()
                ? boundedPage(handle, query, shards, from)
                : read(handle, "upcoming", query, new Page(query.queue(), shards, from, Place.END));
        return page.stream().map(Found::timer).flatMap(Optional::stream).toList();
    }

    /** Reads the first entries of each shard. If a shard may have more of the page, reads up to its last timer. */
    private List<Found> boundedPage(Handle handle, UpcomingQuery query, int shards, Place from) {
        String heads = query.after() == null ? "upcoming" : "upcoming_after";
        List<Found> page = read(handle, heads, query, new Page(query.queue(), shards, from, Place.END));
        if (isWhole(page, query.limit(), head(query.limit(), shards))) {
            return page;
        }
        boolean isFull = page.size() == query.limit();
        Place until = isFull ? page.get(page.size() - 1).place() : Place.END;
        return read(handle, "upcoming_bounded", query, new Page(query.queue(), shards, from, until));
    }

    /** Returns whether no shard has more of the page than was read of it. */
    private static boolean isWhole(List<Found> page, int limit, int head) {
        return head >= limit
                || page.stream().collect(Collectors.groupingBy(Found::shard, Collectors.counting())).values().stream()
                        .allMatch(read -> read < head);
    }

    private List<Found> read(Handle handle, String name, UpcomingQuery query, Page page) {
        return statement(name, query, page.shards())
                .query(
                        handle,
                        (statement, position, parameter) -> bind(statement, position, parameter, page),
                        row -> new Found(
                                row.getInt("shard"),
                                new Place(row.getLong("wake_at"), rawKey(row)),
                                TimerRows.keyOrNull(row) == null
                                        ? Optional.empty()
                                        : Optional.of(TimerSummary.of(
                                                StandingRow.of(row).timer()))));
    }

    /** A key that no statement can name is replaced by one behind all keys. */
    private static RawKey rawKey(ResultSet row) throws SQLException {
        if (!TimerRows.isWhole(row)) {
            return LAST_KEY;
        }
        return new RawKey(row.getString("tenant_id"), row.getString("timer_id"), row.getString("scope"));
    }

    private static Place from(UpcomingQuery query) {
        RawKey after = RawKey.of(query.after());
        return new Place(MicrosecondBounds.before(query.from()), after == null ? new RawKey("", "", "") : after);
    }

    /** Returns how many entries of each shard are read first. */
    private static int head(int limit, int shards) {
        return 2 * limit / shards + SPARE;
    }

    private DriverStatement statement(String name, UpcomingQuery query, int shards) {
        return DriverStatement.of(sql.text(name, shards)
                .replace("<limit>", Integer.toString(query.limit()))
                .replace("<head>", Integer.toString(head(query.limit(), shards)))
                .replace("<atOneInstant>", Integer.toString(Math.max(query.limit(), AT_ONE_INSTANT))));
    }

    private record Page(String queue, int shards, Place from, Place until) {}

    private static void bind(PreparedStatement statement, int position, DriverStatement.Parameter parameter, Page page)
            throws SQLException {
        switch (parameter.name()) {
            case "queue" -> statement.setString(position, page.queue());
            case "shard" -> statement.setInt(position, parameter.number());
            case "shards" ->
                statement.setArray(
                        position,
                        statement
                                .getConnection()
                                .createArrayOf(
                                        "int4",
                                        IntStream.range(0, page.shards())
                                                .boxed()
                                                .toArray()));
            case "from" -> statement.setLong(position, page.from().wakeAt());
            case "until" -> statement.setLong(position, page.until().wakeAt());
            default -> {
                Place place = parameter.name().startsWith("until") ? page.until() : page.from();
                statement.setString(position, place.part(parameter.name()));
            }
        }
    }
}
