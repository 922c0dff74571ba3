package dev.duetime.jdbc.internal.row;

import dev.duetime.store.NewTimer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A search for the timers that an upsert wrote, by their generations: no other schedule has the same one. Thread-safe.
 */
public final class Revisions {
    /** The revision of a timer that was not written. */
    public static final int HELD_BACK = -1;

    private Revisions() {}

    /**
     * The values that {@code RETURNING} gives for one row.
     *
     * @param generation the generation of the timer
     * @param revision how often it was rescheduled
     */
    public record Written(long generation, int revision) {

        public static Written of(ResultSet row) throws SQLException {
            return new Written(row.getLong(1), row.getInt(2));
        }
    }

    /** Returns the revision of each timer, or {@link #HELD_BACK}. */
    public static int[] of(List<NewTimer> timers, List<Written> written) {
        int[] revisions = new int[timers.size()];
        Arrays.fill(revisions, HELD_BACK);
        int at = 0;
        for (Written row : written) {
            // A single server answers in the order of its input.
            while (at < revisions.length && timers.get(at).generation() != row.generation) {
                at++;
            }
            if (at == revisions.length) {
                return byGeneration(timers, written);
            }
            revisions[at++] = row.revision;
        }
        return revisions;
    }

    /** Several servers answer in any order. */
    private static int[] byGeneration(List<NewTimer> timers, List<Written> written) {
        Map<Long, Integer> found = new HashMap<>();
        written.forEach(row -> found.put(row.generation, row.revision));
        return timers.stream()
                .mapToInt(timer -> found.getOrDefault(timer.generation(), HELD_BACK))
                .toArray();
    }
}
