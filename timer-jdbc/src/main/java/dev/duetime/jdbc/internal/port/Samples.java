package dev.duetime.jdbc.internal.port;

import dev.duetime.admin.NodeSample;
import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.connection.BriefWrites;
import dev.duetime.jdbc.internal.sql.Batches;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the nodes delivered lately, in {@code timer_samples}. Thread-safe. */
final class Samples {
    private final Transactions transactions;
    private final BriefWrites writing;
    private final SqlFiles sql;

    Samples(Transactions transactions, BriefWrites writing, SqlFiles sql) {
        this.transactions = transactions;
        this.writing = writing;
        this.sql = sql;
    }

    void put(List<NodeSample> samples) {
        List<NodeSample> sorted = samples.stream()
                .sorted(Comparator.comparing(NodeSample::queue).thenComparing(NodeSample::nodeId))
                .toList();
        if (sorted.isEmpty()) {
            return;
        }
        writing.run("write", "samples", handle -> {
            int[] updated = Batches.count(handle, sql.text("update_sample"), sorted, Samples::parameters);
            List<NodeSample> first = new ArrayList<>();
            for (int i = 0; i < updated.length; i++) {
                if (updated[i] == 0) {
                    first.add(sorted.get(i));
                }
            }
            if (!first.isEmpty()) {
                Batches.execute(handle, sql.text("insert_sample"), first, Samples::parameters);
            }
            return sorted.size();
        });
    }

    private static Map<String, @Nullable Object> parameters(NodeSample sample) {
        return Map.of(
                "queue",
                sample.queue(),
                "node",
                sample.nodeId(),
                "takenAt",
                Micros.toLong(sample.takenAt()),
                "inDelivery",
                sample.inDelivery(),
                "delivered",
                text(sample.delivered()),
                "lateness",
                text(sample.lateness()));
    }

    private static String text(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    List<NodeSample> all() {
        return transactions.single(
                "read",
                "samples",
                handle -> handle.createQuery(sql.text("samples"))
                        .map((row, context) -> new NodeSample(
                                row.getString("queue"),
                                row.getString("node"),
                                Micros.ofLong(row.getLong("taken_at")),
                                row.getInt("in_delivery"),
                                numbers(row.getString("delivered")),
                                numbers(row.getString("lateness"))))
                        .list());
    }

    /** A later version may write other texts: what is no number is none here. */
    private static List<Integer> numbers(String text) {
        return Stream.of(text.split(",", -1))
                .map(each -> each.matches("\\d{1,9}") ? Integer.parseInt(each) : 0)
                .toList();
    }

    void forget(Instant before) {
        writing.run(
                "delete",
                "samples",
                handle -> handle.createUpdate(sql.text("delete_samples"))
                        .bind("before", Micros.toLong(before))
                        .execute());
    }
}
