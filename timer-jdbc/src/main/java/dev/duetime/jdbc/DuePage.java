package dev.duetime.jdbc;

import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Is what one statement read of the due timers: the oldest of all shards, but of each shard no more than {@code perShard}. A
 * shard that gave as many may hold more, as late as its last one or later. What is later than that cannot be returned yet,
 * since an older timer may be missing.
 *
 * @param read by {@code wakeAt}, up to one more than the limit
 * @param limit how many may be returned
 * @param perShard how many were read of one shard at most
 */
record DuePage(List<DueRow> read, int limit, int perShard) {
    private static final int LEAST = 20;

    /**
     * Returns how many to read of each shard: its part of the limit and three times its standard deviation, so that with
     * timers spread by chance a page is nearly always full.
     */
    static int share(DueQuery asked) {
        double part = Math.floor((double) asked.limit() / asked.shards().size()) + 1;
        double share = Math.max(LEAST, Math.ceil(part + 3 * Math.sqrt(part)));
        return (int) Math.min(asked.limit() + 1.0, share);
    }

    /** Returns what may be returned. */
    DueTimers answer() {
        List<DueRow> complete = complete();
        List<DueRow> page = complete.subList(0, Math.min(limit, complete.size()));
        return new DueTimers(
                page.stream().map(DueRow::timer).filter(Objects::nonNull).toList(),
                page.stream().map(DueRow::undecodable).filter(Objects::nonNull).toList(),
                read.size() > limit || horizon() != null);
    }

    /**
     * Returns whether shards were cut off so early that less than half of what was asked for may be returned. Rows that
     * cannot be read do not count: the engine asks for as many more as stay due, and those must not be all that it gets.
     */
    boolean isMeagre() {
        return horizon() != null
                && complete().stream().filter(row -> row.timer() != null).count() < limit / 2;
    }

    private List<DueRow> complete() {
        Instant horizon = horizon();
        return horizon == null
                ? read
                : read.stream().filter(row -> !row.wakeAt().isAfter(horizon)).toList();
    }

    /** Returns the earliest time at which a shard was cut off; null if none was. */
    private @Nullable Instant horizon() {
        Map<Integer, Integer> counts = new HashMap<>();
        for (DueRow row : read) {
            if (counts.merge(row.shard(), 1, Integer::sum) == perShard) {
                return row.wakeAt();
            }
        }
        return null;
    }
}
