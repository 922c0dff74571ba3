package dev.duetime.jdbc.internal.port;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.admin.NodeSample;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.QueuePause;
import dev.duetime.admin.TimerCount;
import dev.duetime.admin.TimerViews;
import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.connection.BriefWrites;
import dev.duetime.jdbc.internal.dialect.Dialect;
import dev.duetime.jdbc.internal.sql.Batches;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.jdbc.internal.tx.Transactions.Work;
import dev.duetime.store.ListStore;
import dev.duetime.store.Revival;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerVersion;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The operations of an operator, in the database. Thread-safe. */
public final class JdbcStoreAdmin implements StoreAdmin {
    private final Transactions transactions;
    private final Transactions waiting;
    private final BriefWrites briefly;
    private final boolean isBrief;
    private final Dialect dialect;
    private final SqlFiles sql;
    private final TimerReads reads;
    private final QueryReads queries;
    private final ViewReads views;
    private final Samples samples;
    private final History history;

    /**
     * Creates the part of a store for operators.
     *
     * @param waiting runs writes that wait a limited time for rows that other transactions hold
     * @param brief runs the writes of loops
     * @param items reads the items of to-do lists
     */
    public JdbcStoreAdmin(
            Transactions transactions,
            Transactions waiting,
            BriefWrites brief,
            Dialect dialect,
            TimerReads reads,
            QueryReads queries,
            ListStore items) {
        this.transactions = transactions;
        this.waiting = waiting;
        briefly = brief;
        isBrief = false;
        this.dialect = dialect;
        this.sql = dialect.sql();
        this.reads = reads;
        this.queries = queries;
        samples = new Samples(transactions, brief, sql);
        history = new History(transactions, brief, dialect);
        views = new ViewReads(
                transactions,
                dialect,
                queries,
                new UpcomingReads(dialect),
                new RecurringReads(transactions, queries, dialect),
                new ListReads(transactions, sql, items),
                history);
    }

    private JdbcStoreAdmin(JdbcStoreAdmin patient) {
        transactions = patient.transactions;
        waiting = patient.waiting;
        briefly = patient.briefly;
        isBrief = true;
        dialect = patient.dialect;
        sql = patient.sql;
        reads = patient.reads;
        queries = patient.queries;
        views = patient.views;
        samples = patient.samples;
        history = patient.history;
    }

    @Override
    public StoreAdmin brief() {
        return isBrief ? this : new JdbcStoreAdmin(this);
    }

    @Override
    public List<TimerCount> count(TimerQuery query) {
        return transactions.single("count", "timers", handle -> queries.count(handle, query));
    }

    @Override
    public TimerVersion.Page versions(TimerQuery query, @Nullable Instant endedBefore) {
        return transactions.single("query", "timers", handle -> queries.versions(handle, query, endedBefore));
    }

    @Override
    public int changedAtOnce(List<TimerVersion> timers) {
        return dialect.keepsWritesInMemory() && timers.size() > 1
                ? transactions.single("measure", "timers", handle -> LargeRows.fitting(handle, sql, timers))
                : timers.size();
    }

    @Override
    public int revive(List<Revival> revivals, Instant now) {
        return again("revive", "revive", revivals, "now", now);
    }

    @Override
    public int deliverNow(List<Revival> timers, Instant now) {
        return again("deliver now", "deliver_now", timers, "now", now);
    }

    @Override
    public int reschedule(List<Revival> timers, Instant dueAt) {
        return again("reschedule", "reschedule", timers, "dueAt", dueAt);
    }

    private int again(String operation, String statement, List<Revival> revivals, String name, Instant time) {
        return write(operation, statement, revivals, Revival::key, revival -> {
            Map<String, @Nullable Object> parameters = parameters(revival.key(), revival.generation());
            parameters.put("newGeneration", revival.newGeneration());
            parameters.put(name, Micros.toLong(time));
            return parameters;
        });
    }

    @Override
    public int cancel(List<TimerVersion> timers, Instant now) {
        return write("cancel", "cancel_generation", timers, TimerVersion::key, timer -> {
            Map<String, @Nullable Object> parameters = parameters(timer.key(), timer.generation());
            parameters.put("now", Micros.toLong(now));
            return parameters;
        });
    }

    @Override
    public int delete(List<TimerVersion> timers) {
        return write(
                "delete",
                "delete_ended",
                timers,
                TimerVersion::key,
                timer -> parameters(timer.key(), timer.generation()));
    }

    /** Runs one statement a timer, sorted by key so that concurrent calls lock in the same order. */
    private <T> int write(
            String operation,
            String statement,
            List<T> timers,
            Function<T, TimerKey> key,
            Function<T, Map<String, @Nullable Object>> parameters) {
        List<T> sorted = timers.stream().sorted(Comparator.comparing(key)).toList();
        return written(
                operation,
                timers.size() + " timers",
                handle -> IntStream.of(Batches.count(handle, sql.text(statement), sorted, parameters))
                        .sum());
    }

    private <T> T written(String operation, String subject, Work<T> work) {
        if (isBrief) {
            return briefly.run(operation, subject, work);
        }
        return waiting.run(operation, subject, handle -> dialect.brieflyInTotal(handle, work));
    }

    private static Map<String, @Nullable Object> parameters(TimerKey key, long generation) {
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("tenantId", key.tenantId());
        parameters.put("timerId", key.timerId());
        parameters.put("scope", key.scope());
        parameters.put("generation", generation);
        return parameters;
    }

    @Override
    public boolean pause(String queue, QueuePause pause) {
        return written("pause", queue, handle -> {
            if (reads.nextDue(handle, queue, List.of(), Instant.MIN).pause() != null) {
                return false;
            }
            handle.createUpdate(sql.text("insert_pause"))
                    .bind("queue", queue)
                    .bind("pausedAt", Micros.toLong(pause.since()))
                    .bind("pausedBy", pause.nodeId())
                    .bind("operator", pause.operator())
                    .bind("reason", pause.reason())
                    .execute();
            return true;
        });
    }

    @Override
    public void putOccurrences(List<Occurrence> occurrences) {
        history.put(occurrences);
    }

    @Override
    public int forgetOccurrences(Instant before, int limit) {
        return history.forget(before, limit);
    }

    @Override
    public void putSamples(List<NodeSample> given) {
        samples.put(given);
    }

    @Override
    public List<NodeSample> samples() {
        return samples.all();
    }

    @Override
    public void forgetSamples(Instant before) {
        samples.forget(before);
    }

    @Override
    public TimerViews views() {
        return views;
    }

    @Override
    public boolean resume(String queue) {
        return written(
                "resume",
                queue,
                handle -> handle.createUpdate(sql.text("delete_pause"))
                                .bind("queue", queue)
                                .execute()
                        > 0);
    }
}
