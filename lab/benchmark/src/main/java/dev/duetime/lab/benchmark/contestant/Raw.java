package dev.duetime.lab.benchmark.contestant;

import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.lab.benchmark.contestant.RawStatements.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Plain JDBC without a library, as a measure of what the machine can do. It uses Duetime's table with the same columns
 * and index, the same batches and the same durability. Each thread has one loop: read what is due, deliver it, settle
 * it by key and generation. It needs no balance between nodes, so each loop has one shard. Then one range of the index
 * is in due order.
 */
final class Raw implements Contestant {
    private static final long LONGEST_WAIT_MICROS = TimeUnit.SECONDS.toMicros(1);

    private final Site site;
    private final int threads;
    private final int shards;
    private final RawStatements statements;
    private final List<Thread> loops = new ArrayList<>();
    private final Semaphore scheduled = new Semaphore(0);
    private volatile boolean closed;

    Raw(Site site) {
        this.site = site;
        // Only for its tables.
        JdbcScheduleStore.of(site.dataSource());
        threads = site.tuning().threads();
        shards = threads * site.share().nodes();
        statements = RawStatements.of(site.kind());
    }

    @Override
    public void schedule(List<Entry> timers) throws SQLException {
        try (Connection connection = site.dataSource().getConnection()) {
            if (timers.size() == 1) {
                statements.upsert(connection, timers.get(0), shards);
            } else {
                statements.upsert(connection, timers, shards);
            }
        }
        scheduled.release(threads);
    }

    @Override
    public void start() {
        for (int i = 0; i < threads; i++) {
            int shard = site.share().node() * threads + i;
            Thread loop = new Thread(() -> run(shard), "raw-" + shard);
            loop.setDaemon(true);
            loop.start();
            loops.add(loop);
        }
    }

    private void run(int shard) {
        try (Connection connection = site.dataSource().getConnection()) {
            while (!closed) {
                long now = micros();
                List<Row> due =
                        statements.due(connection, shard, now, site.tuning().batch());
                if (due.isEmpty()) {
                    await(statements.nextDue(connection, shard));
                } else {
                    site.deliveries().take(due.size(), i -> due.get(i).dueAt());
                    statements.settle(connection, due, site.keep(), micros());
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void await(OptionalLong nextDue) throws InterruptedException {
        long wait = Math.min(LONGEST_WAIT_MICROS, nextDue.orElse(Long.MAX_VALUE) - micros());
        if (wait > 0 && scheduled.tryAcquire(wait, TimeUnit.MICROSECONDS)) {
            scheduled.drainPermits();
        }
    }

    private static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    @Override
    public boolean isSettled() throws SQLException {
        return TimerTable.isSettled(site.dataSource(), shards);
    }

    @Override
    public PendingTimers pending() {
        return TimerTable.pending(shards);
    }

    @Override
    public boolean lookUpNextDue() throws SQLException {
        try (Connection connection = site.dataSource().getConnection()) {
            return statements.nextDue(connection, 0).isPresent();
        }
    }

    @Override
    public void close() {
        closed = true;
        scheduled.release(threads);
        try {
            for (Thread loop : loops) {
                loop.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
