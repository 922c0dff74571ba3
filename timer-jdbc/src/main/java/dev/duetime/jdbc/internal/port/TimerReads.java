package dev.duetime.jdbc.internal.port;

import dev.duetime.admin.QueuePause;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Printable;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.row.DuePage;
import dev.duetime.jdbc.internal.row.DueRow;
import dev.duetime.jdbc.internal.row.Exclusions;
import dev.duetime.jdbc.internal.row.MicrosecondBounds;
import dev.duetime.jdbc.internal.row.Places;
import dev.duetime.jdbc.internal.row.TimerColumn;
import dev.duetime.jdbc.internal.row.TimerRows;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.sql.PlannedSize;
import dev.duetime.jdbc.internal.sql.SlowPlanReplacement;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueStore.PendingCount;
import dev.duetime.store.DueTimers;
import dev.duetime.store.NextDue;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The reads of many timers at once: due timers, and the results of a query. Thread-safe. */
public final class TimerReads {
    /** The number of statements to cache. Each batch size, number of shards and replaced plan has its own statement. */
    private static final int MOST_DRIVERS = 100;

    /** How many shards one statement counts: SQLite joins 500 parts at most. */
    private static final int MOST_COUNTS = 400;

    private static final long SMALLEST_INLINE = 256;
    private static final long LARGEST_INLINE = 65_536;

    /** So many times the timers are read that fit on average, since the next ones may be smaller. */
    private static final int SPARE = 4;

    private static final int FEWEST_ROWS = 8;

    private final SqlFiles sql;
    private final Map<String, DriverStatement> drivers = new ConcurrentHashMap<>();
    private final boolean mergesLazily;
    private final Exclusions leftOut;
    private final @Nullable Places places;
    private final PlannedSize size;
    private final LargeContents contents;

    /** How many bytes the timers of the last read had on average, by kind of read. */
    private final Map<String, Long> bytesEach = new ConcurrentHashMap<>();

    private final SlowPlanReplacement duePlans = new SlowPlanReplacement(System::nanoTime);
    private final SlowPlanReplacement nextDuePlans =
            new SlowPlanReplacement(System::nanoTime, SlowPlanReplacement.REST);

    /**
     * Creates the statements.
     *
     * @param size what reads of due timers tell of the size of the table
     */
    public TimerReads(Dialect dialect, PlannedSize size) {
        sql = dialect.sql();
        mergesLazily = dialect.traits().mergesLazily();
        leftOut = dialect.leftOut();
        places = dialect.places();
        this.size = size;
        contents = new LargeContents(sql);
    }

    /**
     * Reads a share of each shard, where the database reads all shares in full. If that yields little, most timers are
     * in few shards, and it reads without shares.
     */
    public DueTimers due(Handle handle, DueQuery asked) {
        DueQuery fitting = fitting(asked);
        DueTimers read = read(handle, fitting);
        if (fitting.limit() < asked.limit() && read.timers().isEmpty()) {
            read = read(handle, asked);
        }
        if (!read.timers().isEmpty()) {
            bytesEach.put(
                    kind(asked),
                    StoredTimers.bytes(read.timers()) / read.timers().size());
        }
        return read;
    }

    /**
     * Returns the query for fewer timers, if those of the last read were so large that not all would fit. To know how
     * large a payload is, some databases read all of it.
     */
    private DueQuery fitting(DueQuery asked) {
        long each = bytesEach.getOrDefault(kind(asked), 0L);
        if (each * asked.limit() / SPARE <= asked.bytes()) {
            return asked;
        }
        long rows = Math.max(FEWEST_ROWS, SPARE * Long.highestOneBit(Math.max(1, asked.bytes() / each)))
                + asked.held().size();
        return rows >= asked.limit()
                ? asked
                : new DueQuery(
                        asked.queue(),
                        asked.shards(),
                        asked.from(),
                        asked.now(),
                        (int) rows,
                        asked.but(),
                        asked.bytes(),
                        asked.held());
    }

    /**
     * A read that leaves out the tenant of a backlog finds other payloads than one that finds the backlog. So does a
     * read of a few parallel keys.
     */
    private static String kind(DueQuery asked) {
        return Exclusions.statement(asked.but()) + "\n" + asked.queue();
    }

    private DueTimers read(Handle handle, DueQuery asked) {
        int all = asked.limit() + 1;
        int share = mergesLazily ? all : DuePage.share(asked);
        DuePage page = due(handle, asked, share);
        while (share < all && page.isMeagre(asked)) {
            share = (int) Math.min(all, 4L * share);
            page = due(handle, asked, share);
        }
        return page.answer(asked, rows -> contents.complete(handle, rows));
    }

    private DuePage due(Handle handle, DueQuery asked, int perShard) {
        // One more than asked for, to know whether there is more. The file says why limits are written into the text.
        long inline = inline(asked);
        String text = sql.text(Exclusions.statement(asked.but()), asked.shards().size())
                .replace("<limit>", Integer.toString(asked.limit() + 1))
                .replace("<perShard>", Integer.toString(perShard))
                .replace("<inline>", Long.toString(inline));
        List<Integer> shards = List.copyOf(asked.shards());
        Map<String, Long> times =
                Map.of("from", MicrosecondBounds.before(asked.from()), "now", MicrosecondBounds.atMost(asked.now()));
        DriverStatement.Binder binder = leftOut.binder(asked.but(), ofShards(asked.queue(), shards, times));
        List<DueRow> read =
                duePlans.run(text, planned -> driver(planned).query(handle, binder, row -> due(row, inline)));
        // Sorted here where the statement does not sort the rows: with their payloads, that takes long in a database.
        read.sort(Comparator.comparing(DueRow::wakeAt));
        return new DuePage(read, asked.limit(), perShard);
    }

    private DueRow due(ResultSet row, long inline) throws SQLException {
        DueRow read = DueRow.withoutLargeContent(row, inline);
        if (places != null) {
            size.grow(TimerColumn.TABLE_BYTES.bigint(row));
            if (read.timer() != null) {
                places.note(read.timer().key(), read.timer().generation(), TimerColumn.PLACE.text(row));
            }
        }
        return read;
    }

    /**
     * Returns the largest content that is read with its row: so many contents of this size fit into the limit of bytes.
     */
    private static long inline(DueQuery asked) {
        long each = Math.min(LARGEST_INLINE, asked.bytes() / asked.limit());
        return Math.max(SMALLEST_INLINE, Long.highestOneBit(Math.max(1, each)));
    }

    public NextDue nextDue(Handle handle, String queue, List<Integer> shards, Instant after) {
        if (shards.isEmpty()) {
            return handle.createQuery(sql.text("pause"))
                    .bind("queue", queue)
                    .map((row, context) -> nextDue(row))
                    .one();
        }
        return nextDuePlans.run(
                sql.text("next_due", shards.size()),
                planned -> driver(planned)
                        .query(
                                handle,
                                ofShards(queue, shards, Map.of("from", MicrosecondBounds.after(after))),
                                this::nextDueAndSize)
                        .get(0));
    }

    private NextDue nextDueAndSize(ResultSet row) throws SQLException {
        if (places != null) {
            size.grow(row.getLong("table_bytes"));
        }
        return nextDue(row);
    }

    private static NextDue nextDue(ResultSet row) throws SQLException {
        String pausedBy = row.getString("paused_by");
        return new NextDue(
                TimerRows.instantOrNull(row, "wake_at"),
                pausedBy == null
                        ? null
                        : pause(
                                TimerRows.instant(row, "paused_at"),
                                pausedBy,
                                row.getString("operator"),
                                row.getString("reason")));
    }

    static QueuePause pause(Instant since, String node, @Nullable String operator, @Nullable String reason) {
        return new QueuePause(since, node, shown(operator, Limits.NAME_LENGTH), shown(reason, Limits.REASON_LENGTH));
    }

    /** Others may have written any text, which must not prevent a queue from being read. */
    private static @Nullable String shown(@Nullable String text, int most) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        String line = Printable.line(text);
        return line.codePointCount(0, line.length()) <= most
                ? line
                : line.substring(0, line.offsetByCodePoints(0, most));
    }

    private DriverStatement driver(String text) {
        if (drivers.size() > MOST_DRIVERS) {
            drivers.clear();
        }
        return drivers.computeIfAbsent(text, DriverStatement::of);
    }

    private static DriverStatement.Binder ofShards(String queue, List<Integer> shards, Map<String, Long> times) {
        return (statement, position, parameter) -> {
            switch (parameter.name()) {
                case "queue" -> statement.setString(position, queue);
                case "shard" -> statement.setInt(position, shards.get(parameter.number()));
                case "shards" ->
                    statement.setArray(position, statement.getConnection().createArrayOf("int4", shards.toArray()));
                default -> statement.setLong(position, Objects.requireNonNull(times.get(parameter.name())));
            }
        };
    }

    /** Returns the counts of each queue, by one statement for every {@link #MOST_COUNTS} shards. */
    public Map<String, Map<Integer, Integer>> pending(Handle handle, Collection<PendingCount> counts) {
        Map<String, Map<Integer, Integer>> results = new HashMap<>();
        List<Pair> pairs = new ArrayList<>();
        for (PendingCount each : counts) {
            results.put(each.queue(), new HashMap<>());
            each.shards().forEach(shard -> pairs.add(new Pair(each.queue(), shard, each.atMost())));
        }
        for (int from = 0; from < pairs.size(); from += MOST_COUNTS) {
            count(handle, pairs.subList(from, Math.min(pairs.size(), from + MOST_COUNTS)), results);
        }
        return results;
    }

    private void count(Handle handle, List<Pair> pairs, Map<String, Map<Integer, Integer>> results) {
        sql.driver("pending", pairs.size())
                .query(
                        handle,
                        (statement, position, parameter) -> {
                            Pair pair = pairs.get(parameter.number());
                            switch (parameter.name()) {
                                case "queue" -> statement.setString(position, pair.queue);
                                case "shard" -> statement.setInt(position, pair.shard);
                                case "pair" -> statement.setInt(position, parameter.number());
                                default -> statement.setLong(position, pair.atMost);
                            }
                        },
                        row -> Map.entry(row.getInt("pair"), row.getInt("timers")))
                .forEach(each -> {
                    Pair pair = pairs.get(each.getKey());
                    results.computeIfAbsent(pair.queue, queue -> new HashMap<>())
                            .put(pair.shard, each.getValue());
                });
    }

    private record Pair(String queue, int shard, int atMost) {}
}
