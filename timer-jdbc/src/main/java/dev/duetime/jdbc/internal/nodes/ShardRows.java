package dev.duetime.jdbc.internal.nodes;

import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.sql.Batches;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/**
 * The rows of {@code timer_shards}: creates those of a new queue and those that somebody has deleted, and locks free
 * ones. Thread-safe.
 */
final class ShardRows {
    private final Transactions reading;
    private final Transactions writing;
    private final Dialect dialect;
    private final SqlFiles sql;

    /**
     * Creates the rows of a database.
     *
     * @param writing waits for rows that others hold
     */
    ShardRows(Transactions reading, Transactions writing, Dialect dialect) {
        this.reading = reading;
        this.writing = writing;
        this.dialect = dialect;
        this.sql = dialect.sql();
    }

    /** Returns how many shards a queue has, after creating those that are missing. */
    int open(String queue, OptionalInt shards) {
        Set<Integer> numbers = reading.single("open", queue, handle -> numbers(handle, queue));
        int known = shards(numbers);
        int found = reading.single("open", queue, handle -> withTimers(handle, queue, known));
        return found > 0 && numbers.size() == found
                ? found
                : write(
                        queue,
                        handle -> create(
                                handle, queue, shards.orElse(dialect.traits().defaultShards())));
    }

    /** Creates those of the first shards that are missing. */
    void restore(String queue, int shards) {
        write(queue, handle -> insert(handle, queue, shards, numbers(handle, queue)));
    }

    private int write(String queue, Transactions.Work<Integer> work) {
        return writing.run("open", queue, handle -> dialect.brieflyInTotal(handle, work));
    }

    private int create(Handle handle, String queue, int shardsOfNew) {
        Set<Integer> numbers = numbers(handle, queue);
        int found = withTimers(handle, queue, shards(numbers));
        return insert(handle, queue, numbers.isEmpty() ? Math.max(shardsOfNew, found) : found, numbers);
    }

    private static int shards(Set<Integer> numbers) {
        return numbers.stream().mapToInt(number -> number + 1).max().orElse(0);
    }

    /** Returns how many shards there are. If the rows of the highest ones were deleted, their timers show it. */
    private int withTimers(Handle handle, String queue, int known) {
        return handle.createQuery(sql.text("highest_shard"))
                .bind("queue", queue)
                .bind("shards", known)
                .mapTo(Integer.class)
                .findOne()
                .map(shard -> shard + 1)
                .orElse(known);
    }

    private Set<Integer> numbers(Handle handle, String queue) {
        return handle.createQuery(sql.text("shard_numbers"))
                .bind("queue", queue)
                .mapTo(Integer.class)
                .set();
    }

    private int insert(Handle handle, String queue, int shards, Set<Integer> present) {
        List<Integer> missing = IntStream.range(0, shards)
                .boxed()
                .filter(shard -> !present.contains(shard))
                .toList();
        Batches.execute(handle, sql.text("insert_shard"), missing, shard -> Map.of("queue", queue, "shard", shard));
        return shards;
    }

    /** Locks the rows of these shards that no other transaction holds, and returns their shards. */
    List<Integer> lockFree(Handle handle, String queue, List<Integer> shards) {
        return shards.isEmpty()
                ? List.of()
                : sql.driver("lock_shards", shards.size())
                        .query(
                                handle,
                                (prepared, position, parameter) -> {
                                    if (parameter.name().equals("queue")) {
                                        prepared.setString(position, queue);
                                    } else {
                                        prepared.setInt(position, shards.get(parameter.number()));
                                    }
                                },
                                row -> row.getInt(1));
    }
}
