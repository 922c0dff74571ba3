package dev.duetime.jdbc;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads many timers at once: what is due, and what a query asks for. Thread-safe. */
final class TimerReads {
    private static final Logger LOG = LoggerFactory.getLogger(TimerReads.class);

    private final SqlFiles sql;
    private final boolean mergesLazily;

    /**
     * Creates the statements.
     *
     * @param mergesLazily whether the database reads of each shard no more than it returns
     */
    TimerReads(SqlFiles sql, boolean mergesLazily) {
        this.sql = sql;
        this.mergesLazily = mergesLazily;
    }

    /** Reads a share of each shard where all shares are read; if that yields little, most timers are in few shards. */
    DueTimers due(Handle handle, DueQuery asked) {
        if (!mergesLazily) {
            DuePage page = due(handle, asked, DuePage.share(asked));
            if (!page.isMeagre()) {
                return page.answer();
            }
        }
        return due(handle, asked, asked.limit() + 1).answer();
    }

    private DuePage due(Handle handle, DueQuery asked, int perShard) {
        // One more than asked for, to know whether there is more. The file says why limits are written into the text.
        String text = sql.text("due", asked.shards().size())
                .replace("<limit>", Integer.toString(asked.limit() + 1))
                .replace("<perShard>", Integer.toString(perShard));
        List<DueRow> read = ofShards(handle, text, asked.queue(), List.copyOf(asked.shards()))
                .bind("now", Bounds.atMost(asked.now()))
                .map(DueRow::of)
                .list();
        return new DuePage(read, asked.limit(), perShard);
    }

    Optional<Instant> nextDue(Handle handle, String queue, List<Integer> shards, Instant after) {
        return ofShards(handle, sql.text("next_due", shards.size()), queue, shards)
                .bind("after", Bounds.atMost(after))
                .map((row, context) -> Optional.ofNullable(TimerRows.instantOrNull(row, "wake_at")))
                .one();
    }

    Map<Integer, Integer> pending(Handle handle, String queue, List<Integer> shards, int atMost) {
        Map<Integer, Integer> counts = new HashMap<>();
        ofShards(handle, sql.text("pending", shards.size()), queue, shards)
                .bind("atMost", atMost)
                .map((row, context) -> Map.entry(row.getInt("shard"), row.getInt("timers")))
                .forEach(each -> counts.put(each.getKey(), each.getValue()));
        return counts;
    }

    private static Query ofShards(Handle handle, String text, String queue, List<Integer> shards) {
        Query query = handle.createQuery(text).bind("queue", queue);
        for (int i = 0; i < shards.size(); i++) {
            query.bind("shard" + i, shards.get(i));
        }
        return query;
    }

    /** Reads on until the page is full: rows that have no valid key cannot be shown, and are told in the log. */
    List<StoredTimer> matching(Handle handle, TimerQuery asked) {
        TimerKey after = asked.after();
        RawKey from =
                after == null ? new RawKey(first(asked.tenantId()), "") : new RawKey(after.tenantId(), after.timerId());
        List<StoredTimer> matching = new ArrayList<>();
        while (true) {
            int limit = asked.limit() - matching.size();
            List<FoundRow> read = matching(handle, asked, from, limit);
            read.stream().map(FoundRow::timer).filter(Objects::nonNull).forEach(matching::add);
            if (read.size() < limit || matching.size() == asked.limit()) {
                return matching;
            }
            from = read.get(read.size() - 1).key();
        }
    }

    private List<FoundRow> matching(Handle handle, TimerQuery asked, RawKey after, int limit) {
        TimerState state = asked.state();
        return handle.createQuery(sql.text("query"))
                .bind("afterTenantId", after.tenantId)
                .bind("afterTimerId", after.timerId)
                .bind("tenantId", asked.tenantId())
                .bind("queue", asked.queue())
                .bind("state", state == null ? null : state.name())
                .bind("type", asked.type())
                .bind("dueFrom", asked.dueFrom() == null ? Long.MIN_VALUE : Bounds.before(asked.dueFrom()))
                .bind("dueBefore", asked.dueBefore() == null ? Long.MAX_VALUE : Bounds.before(asked.dueBefore()))
                .bind("limit", limit)
                .map(FoundRow::of)
                .list();
    }

    /** Returns where the keys of a tenant begin, so that the index is entered there. */
    private static String first(@Nullable String tenantId) {
        return tenantId == null ? "" : tenantId;
    }

    /** Is a key that need not be one of a timer. */
    private record RawKey(String tenantId, String timerId) {}

    private record FoundRow(RawKey key, @Nullable StoredTimer timer) {

        static FoundRow of(ResultSet row, StatementContext context) throws SQLException {
            RawKey key = new RawKey(row.getString("tenant_id"), row.getString("timer_id"));
            if (TimerRows.keyOrNull(row) == null) {
                LOG.warn("a row is not shown, since its key is none of a timer: {}", TimerRows.keyText(row));
                return new FoundRow(key, null);
            }
            return new FoundRow(key, StandingRow.of(row, context).timer());
        }
    }
}
