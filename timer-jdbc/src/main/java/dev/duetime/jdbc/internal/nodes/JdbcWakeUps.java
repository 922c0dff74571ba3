package dev.duetime.jdbc.internal.nodes;

import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.connection.BriefWrites;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.store.CollisionException;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/**
 * The hints in {@code timer_hints}. Where the database can notify sessions, a hint is also a notification, for the
 * nodes that listen. Thread-safe.
 */
public final class JdbcWakeUps implements WakeUps {
    private final Transactions transactions;
    private final BriefWrites writing;
    private final Dialect dialect;
    private final SqlFiles sql;
    private final Supplier<Optional<Receiver>> receivers;

    /** The hints that were notified although their rows are held. A sender repeats the same ones each second. */
    private final Map<Kind, WakeUp> notified = new ConcurrentHashMap<>();

    /** A queue and whether the hint is of its shards: a sender has at most one hint of each kind. */
    private record Kind(String queue, boolean isOfShards) {
        static Kind of(WakeUp wakeUp) {
            return new Kind(wakeUp.queue(), wakeUp.isOfShards());
        }
    }

    /**
     * Creates the hints of a database.
     *
     * @param receivers begins to listen
     */
    public JdbcWakeUps(
            Transactions transactions, BriefWrites writing, Dialect dialect, Supplier<Optional<Receiver>> receivers) {
        this.transactions = transactions;
        this.writing = writing;
        this.dialect = dialect;
        this.receivers = receivers;
        sql = dialect.sql();
    }

    @Override
    public boolean areKept() {
        return true;
    }

    /** Writes the rows in order of their queues, so that two nodes do not wait for each other in a circle. */
    @Override
    public void send(Collection<WakeUp> wakeUps) {
        if (wakeUps.isEmpty()) {
            return;
        }
        List<WakeUp> sorted =
                wakeUps.stream().sorted(Comparator.comparing(WakeUp::queue)).toList();
        try {
            writing.run("send hints of", sorted.get(0).queue(), handle -> {
                sorted.forEach(each -> send(handle, each));
                return sorted.size();
            });
            sorted.forEach(each -> notified.remove(Kind.of(each)));
        } catch (CollisionException e) {
            // The caller sends each of several hints alone then, so a free one would be notified twice.
            if (dialect.notifies() && sorted.size() == 1) {
                notifyOf(sorted.get(0));
            }
            throw e;
        }
    }

    /**
     * Another transaction holds a row, for example that of a suspended node. Nodes that listen need no row. An equal
     * hint may be of another timer, which they have not read: only the same object is a repeat.
     */
    @SuppressWarnings("ReferenceEquality")
    private void notifyOf(WakeUp wakeUp) {
        if (notified.get(Kind.of(wakeUp)) == wakeUp) {
            return;
        }
        transactions.run("send", "hints", handle -> {
            notify(handle, sql, HintMessage.of(wakeUp));
            return true;
        });
        notified.put(Kind.of(wakeUp), wakeUp);
    }

    private void send(Handle handle, WakeUp wakeUp) {
        Map<String, Object> row = Map.of("queue", wakeUp.queue(), "dueAt", Micros.toLong(wakeUp.dueAt()));
        if (update(handle, "add_hint", row) == 0) {
            update(handle, "insert_hint", row);
        }
        if (dialect.notifies()) {
            notify(handle, sql, HintMessage.of(wakeUp));
        }
    }

    private int update(Handle handle, String statement, Map<String, Object> row) {
        return handle.createUpdate(sql.text(statement)).bindMap(row).execute();
    }

    /** Sends a message to all sessions that listen, when the transaction commits. */
    static void notify(Handle handle, SqlFiles sql, String message) {
        handle.createQuery(sql.text("notify"))
                .bind("message", message)
                .map((row, context) -> true)
                .one();
    }

    @Override
    public List<Sent> sent() {
        return transactions.single(
                "read",
                "hints",
                handle -> handle.createQuery(sql.text("hints"))
                        .map((row, context) -> new Sent(
                                row.getString("queue"), row.getLong("sent"), Micros.ofLong(row.getLong("due_at"))))
                        .list());
    }

    @Override
    public Optional<Receiver> receive() {
        return dialect.notifies() ? receivers.get() : Optional.empty();
    }
}
