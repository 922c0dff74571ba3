package dev.duetime.lab.benchmark.contestant;

import dev.duetime.lab.benchmark.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** The table that Duetime and the plain loop share. */
final class TimerTable {

    private TimerTable() {}

    /** Returns whether no due timer waits, by one probe of the index for each shard. */
    static boolean isSettled(DataSource dataSource, int shards) throws SQLException {
        String all = IntStream.range(0, shards).mapToObj(Integer::toString).collect(Collectors.joining(", "));
        try (Connection connection = dataSource.getConnection()) {
            return Sql.value(
                            connection,
                            "SELECT 1 FROM timer_schedules WHERE queue = 'default' AND shard IN (" + all
                                    + ") AND state = 'SCHEDULED' AND wake_at <= ? LIMIT 1",
                            ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()))
                    .isEmpty();
        }
    }

    /** Returns whether this many nodes own shards, and none owns more than its share. */
    static boolean isShared(DataSource dataSource, int shards, int nodes) throws SQLException {
        int share = (shards + nodes - 1) / nodes;
        try (Connection connection = dataSource.getConnection()) {
            return Sql.value(
                            connection,
                            "SELECT max(owned) FROM (SELECT count(*) AS owned FROM timer_shards WHERE owner IS NOT NULL"
                                    + " GROUP BY owner) AS owners HAVING count(*) = ?",
                            nodes)
                    .filter(most -> Integer.parseInt(most) <= share)
                    .isPresent();
        }
    }

    /** Returns how the table is filled with timers that were delivered and are kept. */
    static PendingTimers ended(int shards) {
        return new PendingTimers(List.of(new PendingTimers.Table(
                "timer_schedules",
                Map.of(
                        "timer_id", "given.k",
                        "shard", "given.n % " + shards,
                        "state", "'REACHED'",
                        "wake_at", "NULL",
                        "due_at", "template.registered_at - given.n * 100",
                        "settled_at", "template.registered_at - given.n * 100"))));
    }

    static PendingTimers pending(int shards) {
        return new PendingTimers(List.of(new PendingTimers.Table(
                "timer_schedules",
                Map.of(
                        "timer_id", "given.k",
                        "shard", "given.n % " + shards,
                        "due_at", "template.due_at + given.n * 100",
                        "wake_at", "template.wake_at + given.n * 100"))));
    }
}
