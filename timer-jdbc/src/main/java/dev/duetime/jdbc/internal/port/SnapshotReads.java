package dev.duetime.jdbc.internal.port;

import dev.duetime.admin.QueuePause;
import dev.duetime.internal.Micros;
import dev.duetime.internal.Times;
import dev.duetime.jdbc.internal.row.TimerRows;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.sql.SlowPlanReplacement;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.store.NextDue;
import dev.duetime.store.QueueSnapshot;
import dev.duetime.store.ShardMap;
import dev.duetime.store.ShardMap.Lease;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The reads of leases, next due times and pauses of many queues by one statement. Thread-safe. */
public final class SnapshotReads {
    private static final int LEASE = 0;
    private static final int ANNOUNCEMENT = 1;

    private final SqlFiles sql;
    private final SlowPlanReplacement plans = new SlowPlanReplacement(System::nanoTime, SlowPlanReplacement.REST);

    public SnapshotReads(SqlFiles sql) {
        this.sql = sql;
    }

    /** Returns the snapshot of each queue. */
    public Map<String, QueueSnapshot> read(Handle handle, Collection<String> queues, String node) {
        Map<String, Draft> drafts = new HashMap<>();
        queues.forEach(queue -> drafts.put(queue, new Draft()));
        List<String> names = List.copyOf(drafts.keySet());
        plans.run(
                sql.text("snapshot", names.size()),
                planned -> DriverStatement.of(planned)
                        .query(
                                handle,
                                (statement, position, parameter) -> statement.setString(
                                        position,
                                        parameter.name().equals("node") ? node : names.get(parameter.number())),
                                row -> add(drafts, row)));
        Map<String, QueueSnapshot> snapshots = new HashMap<>();
        drafts.forEach((queue, draft) -> snapshots.put(queue, draft.snapshot()));
        return snapshots;
    }

    /** Announcements and pauses are read for all queues, also for those that were not asked for. */
    private static boolean add(Map<String, Draft> drafts, ResultSet row) throws SQLException {
        Draft draft = drafts.get(row.getString("queue"));
        if (draft != null) {
            draft.add(row);
        }
        return draft != null;
    }

    /** Returns the leases and announcements of each queue. */
    public static Map<String, ShardMap> views(Handle handle, SqlFiles sql, Collection<String> queues) {
        Map<String, Draft> drafts = new HashMap<>();
        queues.forEach(queue -> drafts.put(queue, new Draft()));
        List<String> names = List.copyOf(drafts.keySet());
        sql.driver("view_queues", names.size())
                .query(
                        handle,
                        (statement, position, parameter) ->
                                statement.setString(position, names.get(parameter.number())),
                        row -> {
                            Draft draft = drafts.get(row.getString("queue"));
                            return draft != null && draft.addView(row);
                        });
        Map<String, ShardMap> views = new HashMap<>();
        drafts.forEach((queue, draft) -> views.put(queue, draft.map()));
        return views;
    }

    /** The rows of one queue, as they are read. */
    private static final class Draft {
        private final List<Lease> leases = new ArrayList<>();
        private final Map<String, Instant> announced = new HashMap<>();
        private @Nullable Instant wakeAt;
        private @Nullable QueuePause pause;

        void add(ResultSet row) throws SQLException {
            int kind = row.getInt("kind");
            if (kind == LEASE) {
                addLease(row, row.getString("name"), "until");
                wakeAt = Times.earliest(wakeAt, TimerRows.instantOrNull(row, "wake_at"));
            } else if (kind == ANNOUNCEMENT) {
                announced.put(row.getString("name"), TimerRows.instant(row, "until"));
            } else {
                pause = TimerReads.pause(
                        Micros.ofLong(row.getLong("until")),
                        row.getString("name"),
                        row.getString("operator"),
                        row.getString("reason"));
            }
        }

        boolean addView(ResultSet row) throws SQLException {
            if (row.getString("node") == null) {
                addLease(row, row.getString("owner"), "lease_until");
            } else {
                announced.put(row.getString("node"), TimerRows.instant(row, "lease_until"));
            }
            return true;
        }

        private void addLease(ResultSet row, @Nullable String owner, String until) throws SQLException {
            leases.add(
                    new Lease(row.getInt("shard"), owner, row.getLong("epoch"), TimerRows.instantOrNull(row, until)));
        }

        ShardMap map() {
            return new ShardMap(leases, announced);
        }

        QueueSnapshot snapshot() {
            return new QueueSnapshot(map(), new NextDue(wakeAt, pause));
        }
    }
}
