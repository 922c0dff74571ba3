package dev.duetime.jdbc.internal.sql;

import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/** A runner of one statement for each element of a list, in as few round trips as the driver can. */
public final class Batches {

    private Batches() {}

    /** Runs the statement, and ignores how many rows it matched. */
    public static <T> void execute(
            Handle handle, String sql, List<T> elements, Function<T, Map<String, @Nullable Object>> parameters) {
        run(handle, sql, elements, parameters);
    }

    /**
     * Returns how many rows each run matched.
     *
     * @throws IllegalStateException if the driver does not return the counts
     */
    public static <T> int[] count(
            Handle handle, String sql, List<T> elements, Function<T, Map<String, @Nullable Object>> parameters) {
        int[] counts = run(handle, sql, elements, parameters);
        if (IntStream.of(counts).anyMatch(count -> count == Statement.SUCCESS_NO_INFO)) {
            throw new IllegalStateException(
                    "the driver must tell how many rows each statement of a batch matched but did not;"
                            + " MariaDB's does unless useBulkStmts is set");
        }
        return counts;
    }

    private static <T> int[] run(
            Handle handle, String sql, List<T> elements, Function<T, Map<String, @Nullable Object>> parameters) {
        if (elements.isEmpty()) {
            return new int[0];
        }
        if (handle.getConfig(BatchSettings.class).endsAtFirstFailure()) {
            return oneByOne(handle, sql, elements, parameters);
        }
        try (PreparedBatch batch = handle.prepareBatch(sql)) {
            for (T element : elements) {
                batch.bindMap(parameters.apply(element)).add();
            }
            return batch.execute();
        }
    }

    private static <T> int[] oneByOne(
            Handle handle, String sql, List<T> elements, Function<T, Map<String, @Nullable Object>> parameters) {
        int[] counts = new int[elements.size()];
        for (int i = 0; i < counts.length; i++) {
            try (Update update = handle.createUpdate(sql)) {
                counts[i] = update.bindMap(parameters.apply(elements.get(i))).execute();
            }
        }
        return counts;
    }
}
