package dev.duetime.jdbc.internal.port;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.DeadGroups;
import dev.duetime.admin.DueCount;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.RecurringTimers;
import dev.duetime.admin.TimerSummary;
import dev.duetime.admin.TimerViews;
import dev.duetime.admin.TodoListSummary;
import dev.duetime.admin.UpcomingQuery;
import dev.duetime.internal.ViewLimits;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.row.MicrosecondBounds;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The reads for pages of operators. Each statement examines a bounded number of index entries. Thread-safe. */
final class ViewReads implements TimerViews {
    /** The number of dead timers to group: 15 to 30 ms. */
    private static final int GROUPED = 5_000;
    /** From how many shards a forecast is made at most, and how many timers it counts in each shard and slot. */
    private static final int FORECAST_SHARDS = 8;

    private static final int FORECAST_COUNTED = 250;

    private final Transactions transactions;
    private final SqlFiles sql;
    private final int mostForecastParts;
    private final QueryReads queries;
    private final UpcomingReads upcoming;
    private final RecurringReads recurring;
    private final ListReads lists;
    private final History history;

    ViewReads(
            Transactions transactions,
            Dialect dialect,
            QueryReads queries,
            UpcomingReads upcoming,
            RecurringReads recurring,
            ListReads lists,
            History history) {
        this.transactions = transactions;
        sql = dialect.sql();
        mostForecastParts = dialect.mostForecastParts();
        this.queries = queries;
        this.upcoming = upcoming;
        this.recurring = recurring;
        this.lists = lists;
        this.history = history;
    }

    @Override
    public List<TimerSummary> timers(TimerQuery query) {
        return transactions.single("query", "timers", handle -> queries.listed(handle, query));
    }

    @Override
    public List<TimerSummary> upcoming(UpcomingQuery query) {
        return transactions.single(
                "query", "timers", handle -> upcoming.page(handle, query, shards(handle, query.queue())));
    }

    private int shards(Handle handle, String queue) {
        return handle.createQuery(sql.text("count_shards"))
                .bind("queue", queue)
                .mapTo(Integer.class)
                .one();
    }

    @Override
    public BoundedCount countUpTo(TimerQuery query, int most) {
        ViewLimits.count(most);
        return transactions.single("count", "timers", handle -> queries.countUpTo(handle, query, most));
    }

    @Override
    public DeadGroups deadGroups(TimerQuery query) {
        TimerQuery dead = new TimerQuery(
                TimerState.DEAD,
                query.queue(),
                query.tenantId(),
                query.type(),
                query.dueFrom(),
                query.dueBefore(),
                null,
                1,
                false,
                query.filters());
        return transactions.single("count", "timers", handle -> queries.deadGroups(handle, dead, GROUPED));
    }

    @Override
    public RecurringTimers recurring(@Nullable String tenantId, @Nullable TimerKey after, int limit) {
        return recurring.recurring(tenantId, after, limit);
    }

    @Override
    public List<Occurrence> occurrences(TimerKey key) {
        return history.of(key);
    }

    @Override
    public List<TodoListSummary> todoLists(Instant now) {
        return lists.lists(now);
    }

    @Override
    public List<TodoListSummary.Item> todoItems(String list, TodoListSummary.@Nullable Item after, int limit) {
        return lists.items(list, after, limit);
    }

    @Override
    public List<DueCount> forecast(String queue, Instant from, Duration width, int slots) {
        ViewLimits.forecast(queue, from, width, slots);
        return transactions.single("count", queue, handle -> forecast(handle, queue, from, width, slots));
    }

    private List<DueCount> forecast(Handle handle, String queue, Instant from, Duration width, int slots) {
        int shards = shards(handle, queue);
        List<Integer> read = sample(shards, slots);
        long[] counts = new long[slots];
        boolean[] isFull = new boolean[slots];
        if (!read.isEmpty()) {
            String text =
                    sql.text("forecast", slots * read.size()).replace("<looked>", Integer.toString(FORECAST_COUNTED));
            DriverStatement.of(text)
                    .query(
                            handle,
                            (statement, position, parameter) -> {
                                int slot = parameter.number() / read.size();
                                switch (parameter.name()) {
                                    case "queue" -> statement.setString(position, queue);
                                    case "slot" -> statement.setInt(position, slot);
                                    case "shard" ->
                                        statement.setInt(position, read.get(parameter.number() % read.size()));
                                    case "from" -> statement.setLong(position, bound(from, width, slot));
                                    case "slots" ->
                                        statement.setArray(position, integers(statement, IntStream.range(0, slots)));
                                    case "shards" ->
                                        statement.setArray(
                                                position,
                                                integers(
                                                        statement, read.stream().mapToInt(each -> each)));
                                    case "froms" ->
                                        statement.setArray(position, bounds(statement, from, width, 0, slots));
                                    case "befores" ->
                                        statement.setArray(position, bounds(statement, from, width, 1, slots));
                                    default -> statement.setLong(position, bound(from, width, slot + 1));
                                }
                            },
                            row -> Map.entry(row.getInt("slot"), row.getLong("timers")))
                    .forEach(each -> {
                        counts[each.getKey()] += each.getValue();
                        isFull[each.getKey()] |= each.getValue() >= FORECAST_COUNTED;
                    });
        }
        List<DueCount> all = new ArrayList<>();
        for (int slot = 0; slot < slots; slot++) {
            Instant begin = from.plus(width.multipliedBy(slot));
            long timers = read.isEmpty() ? 0 : counts[slot] * shards / read.size();
            all.add(new DueCount(begin, begin.plus(width), timers, read.size() == shards && !isFull[slot]));
        }
        return all;
    }

    private static Array integers(PreparedStatement statement, IntStream numbers) throws SQLException {
        return statement.getConnection().createArrayOf("int4", numbers.boxed().toArray());
    }

    private static Array bounds(PreparedStatement statement, Instant from, Duration width, int first, int slots)
            throws SQLException {
        return statement
                .getConnection()
                .createArrayOf(
                        "int8",
                        IntStream.range(first, first + slots)
                                .mapToObj(slot -> bound(from, width, slot))
                                .toArray());
    }

    private static long bound(Instant from, Duration width, int slot) {
        return MicrosecondBounds.before(from.plus(width.multipliedBy(slot)));
    }

    /** Returns some shards, spread evenly. */
    private List<Integer> sample(int shards, int slots) {
        int most = Math.min(FORECAST_SHARDS, Math.max(1, mostForecastParts / slots));
        int read = Math.min(shards, most);
        return IntStream.range(0, read).mapToObj(i -> i * shards / read).toList();
    }
}
