package dev.duetime.jdbc.internal.row;

import dev.duetime.StoredTimer;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The due timers that one statement has read: the oldest of all shards, but at most {@code perShard} of each shard. A
 * shard that returned that many may have more, as late as its last one or later. Timers later than that cannot be
 * returned yet, because an older timer may be missing.
 *
 * @param read by {@code wakeAt}, up to one more than the limit
 * @param limit how many may be returned
 * @param perShard how many were read of one shard at most
 */
public record DuePage(List<DueRow> read, int limit, int perShard) {
    private static final int LEAST = 20;

    /**
     * Returns how many rows to read of each shard: its part of the limit and three times its standard deviation. So a
     * page is nearly always full if timers are spread at random.
     */
    public static int share(DueQuery asked) {
        double part = Math.floor((double) asked.limit() / asked.shards().size()) + 1;
        double share = Math.max(LEAST, Math.ceil(part + 3 * Math.sqrt(part)));
        return (int) Math.min(asked.limit() + 1.0, share);
    }

    /**
     * Returns the answer of the query.
     *
     * @param contents reads what was left out of rows; if it leaves out a row, that row has changed since
     */
    public DueTimers answer(DueQuery asked, UnaryOperator<List<DueRow>> contents) {
        List<DueRow> complete = complete();
        List<DueRow> page = complete.subList(0, Math.min(limit, complete.size()));
        int taken = fitting(page, asked);
        List<DueRow> rows = contents.apply(page.subList(0, taken).stream()
                .filter(row -> !isHeld(row, asked))
                .toList());
        return new DueTimers(
                rows.stream().map(DueRow::timer).filter(Objects::nonNull).toList(),
                rows.stream().map(DueRow::undecodable).filter(Objects::nonNull).toList(),
                read.size() > limit || horizon() != null || taken < page.size());
    }

    private static boolean isHeld(DueRow row, DueQuery asked) {
        StoredTimer timer = row.timer();
        return timer != null && asked.isHeld(timer.key(), timer.generation());
    }

    /** Returns how many of the first rows have no more bytes than asked for; one at least that is not held. */
    private static int fitting(List<DueRow> page, DueQuery asked) {
        long bytes = 0;
        boolean any = false;
        for (int i = 0; i < page.size(); i++) {
            DueRow row = page.get(i);
            if (row.timer() == null || isHeld(row, asked)) {
                continue;
            }
            bytes += row.bytes();
            if (any && bytes > asked.bytes()) {
                return i;
            }
            any = true;
        }
        return page.size();
    }

    /**
     * Returns whether shards were cut off so early that the page has less than half of the rows that the asking node
     * can use. Rows that cannot be read and those that it holds are of no use: it asks for as many more rows as stay
     * due, and must not get only these.
     */
    public boolean isMeagre(DueQuery asked) {
        long wanted = Math.max(1, (limit - asked.held().size()) / 2);
        return horizon() != null
                && complete().stream()
                                .filter(row -> row.timer() != null && !isHeld(row, asked))
                                .count()
                        < wanted;
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
