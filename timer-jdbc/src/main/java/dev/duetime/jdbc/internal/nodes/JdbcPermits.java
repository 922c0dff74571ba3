package dev.duetime.jdbc.internal.nodes;

import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.connection.BriefWrites;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.store.Permits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The shares of nodes in limits, in {@code timer_permits}. Thread-safe. */
public final class JdbcPermits implements Permits {
    /** The node of the row that stands for the limit itself. */
    private static final String LIMIT = "";

    private static final Comparator<Change> ORDER = Comparator.comparing(
                    (Change each) -> each.limit().queue())
            .thenComparing(each -> each.limit().name());

    private final Transactions reading;
    private final BriefWrites writing;
    private final SqlFiles sql;

    public JdbcPermits(Transactions reading, BriefWrites writing, SqlFiles sql) {
        this.reading = reading;
        this.writing = writing;
        this.sql = sql;
    }

    @Override
    public List<Ledger> ledgers() {
        Map<Limit, Ledger> limits = new LinkedHashMap<>();
        Map<Limit, List<Share>> shares = new HashMap<>();
        reading.single("read", "limits", handle -> {
            limits.clear();
            shares.clear();
            return handle.createQuery(sql.text("permits"))
                    .map((row, context) -> {
                        Limit limit = new Limit(row.getString("queue"), row.getString("limit_name"));
                        if (row.getString("node").equals(LIMIT)) {
                            long version = row.getLong("version");
                            Instant since = instant(row, "since_at");
                            limits.put(limit, new Ledger(limit, version, since, List.of(), row.getString("levels")));
                        } else {
                            shares.computeIfAbsent(limit, unknown -> new ArrayList<>())
                                    .add(share(row));
                        }
                        return true;
                    })
                    .list();
        });
        return limits.values().stream()
                .map(each -> new Ledger(
                        each.limit(),
                        each.version(),
                        each.freeSince(),
                        shares.getOrDefault(each.limit(), List.of()),
                        each.levels()))
                .toList();
    }

    private static Share share(ResultSet row) throws SQLException {
        return new Share(
                row.getString("node"),
                row.getInt("units"),
                row.getInt("demand"),
                row.getInt("total"),
                row.getLong("spacing"),
                instant(row, "since_at"),
                instant(row, "ends_at"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return Micros.ofLong(row.getLong(column));
    }

    /** Writes the changes in order of their limits, so that two nodes do not wait for each other in a circle. */
    @Override
    public Set<Limit> change(Collection<Change> changes) {
        if (changes.isEmpty()) {
            return Set.of();
        }
        List<Change> sorted = changes.stream().sorted(ORDER).toList();
        return writing.run("change limits of", sorted.get(0).limit().queue(), handle -> {
            Set<Limit> written = new HashSet<>();
            for (Change each : sorted) {
                if (begins(handle, each)) {
                    write(handle, each);
                    written.add(each.limit());
                }
            }
            return written;
        });
    }

    /** Returns whether the limit still has the version that was read. Then its row is locked. */
    private boolean begins(Handle handle, Change change) {
        Map<String, @Nullable Object> row = row(change.limit(), LIMIT);
        row.put("levels", change.levels());
        row.put("since", Micros.toLong(change.freeSince()));
        row.put("version", change.version());
        // Only another program writes a row with the version of an unwritten limit.
        if (update(handle, "claim_permits", row) > 0) {
            return true;
        }
        if (change.version() != UNWRITTEN) {
            return false;
        }
        boolean isThere = handle.createQuery(sql.text("permit_version"))
                .bindMap(row(change.limit(), LIMIT))
                .mapTo(Long.class)
                .findFirst()
                .isPresent();
        row.putAll(Map.of("version", 1L, "units", 0, "demand", 0, "total", 0, "spacing", 0L, "until", 0L));
        return !isThere && update(handle, "insert_permits", row) > 0;
    }

    private void write(Handle handle, Change change) {
        change.removed().stream().sorted().forEach(node -> update(handle, "delete_permits", row(change.limit(), node)));
        Share share = change.share();
        if (share == null) {
            return;
        }
        Map<String, @Nullable Object> row = row(change.limit(), share.node());
        row.put("levels", null);
        row.put("units", share.units());
        row.put("demand", share.demand());
        row.put("total", share.total());
        row.put("spacing", share.spacing());
        row.put("since", Micros.toLong(share.since()));
        row.put("until", Micros.toLong(share.until()));
        if (update(handle, "update_permits", row) == 0) {
            row.put("version", 0L);
            update(handle, "insert_permits", row);
        }
    }

    private static Map<String, @Nullable Object> row(Limit limit, String node) {
        Map<String, @Nullable Object> row = new HashMap<>();
        row.put("queue", limit.queue());
        row.put("limit", limit.name());
        row.put("node", node);
        return row;
    }

    private int update(Handle handle, String statement, Map<String, @Nullable Object> row) {
        return handle.createUpdate(sql.text(statement)).bindMap(row).execute();
    }
}
