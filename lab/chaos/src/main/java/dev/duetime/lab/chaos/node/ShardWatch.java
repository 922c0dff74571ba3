package dev.duetime.lab.chaos.node;

import dev.duetime.lab.chaos.log.Entry;
import dev.duetime.lab.chaos.log.Entry.Moved;
import dev.duetime.lab.chaos.log.Log;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** A watch that repeatedly reads who owns which shard, and logs each change. Thread-safe. */
public final class ShardWatch implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMillis(50);

    private final Scratch scratch;
    private final Log log;
    private final Thread thread = new Thread(this::watch, "shard-watch");

    private volatile Map<Integer, String> owners = Map.of();
    private volatile boolean closed;

    private ShardWatch(Scratch scratch, Log log) {
        this.scratch = scratch;
        this.log = log;
    }

    public static ShardWatch start(Scratch scratch, Log log) {
        ShardWatch watch = new ShardWatch(scratch, log);
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    /** Returns the shards that a node owned at the last read, whether or not its lease has ended. */
    public Set<Integer> shardsOf(String node) {
        return owners.entrySet().stream()
                .filter(each -> each.getValue().equals(node))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns how many shards each node owned at the last read. */
    public Map<String, Long> counts() {
        return owners.values().stream().collect(Collectors.groupingBy(each -> each, Collectors.counting()));
    }

    private void watch() {
        long lastLook = Log.now();
        while (!closed) {
            try {
                long now = Log.now();
                Map<Integer, String> seen = scratch.owners();
                long from = lastLook;
                Map<Integer, String> before = owners;
                seen.forEach((shard, owner) -> {
                    String former = before.getOrDefault(shard, Entry.ALL);
                    if (!former.equals(owner)) {
                        log.append(new Moved(from, Log.now(), shard, former, owner));
                    }
                });
                owners = seen;
                lastLook = now;
            } catch (SQLException e) {
                // The server is away, or its tables do not exist yet. Changes meanwhile are seen later.
                LockSupport.parkNanos(EVERY.toNanos());
            }
            LockSupport.parkNanos(EVERY.toNanos());
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
