package dev.duetime.engine.report;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.internal.Limits;
import dev.duetime.listener.OperatorAction;
import dev.duetime.listener.OperatorAction.Kind;
import dev.duetime.listener.OperatorListener;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The reports of what an operator does: one for each call that changed something or failed. Thread-safe. */
public final class OperatorReports {
    private final OperatorListener listener;
    private final Supplier<Instant> now;
    private final @Nullable String operator;

    public OperatorReports(OperatorListener listener, Supplier<Instant> now, @Nullable String operator) {
        this.listener = listener;
        this.now = now;
        this.operator = operator;
    }

    /** Returns the reports of another operator. */
    public OperatorReports by(String name) {
        return new OperatorReports(listener, now, name);
    }

    /** Returns the operator's name; null if it is not known. */
    @Nullable
    public String operator() {
        return operator;
    }

    /** Runs the work on one timer. */
    public boolean one(Kind kind, TimerKey key, BooleanSupplier work) {
        return around(kind, "timer " + Limits.given("key", key), () -> 0, () -> work.getAsBoolean() ? 1 : 0, 1) > 0;
    }

    /** Runs the work on a queue. */
    public boolean queue(Kind kind, String queue, BooleanSupplier work) {
        return around(kind, "queue " + queue, () -> 0, () -> work.getAsBoolean() ? 1 : 0, 0) > 0;
    }

    /**
     * Runs the work on all timers that match.
     *
     * @param done returns how many timers were changed until the work failed
     */
    public long many(Kind kind, TimerQuery query, LongSupplier done, LongSupplier work) {
        return around(kind, "timers " + conditions(query), done, work, 1);
    }

    /**
     * Runs the work and reports it.
     *
     * @param done returns how many timers were changed until the work failed
     * @param timers how many timers each change counts for
     */
    private long around(Kind kind, String subject, LongSupplier done, LongSupplier work, int timers) {
        long changed;
        try {
            changed = work.getAsLong();
        } catch (RuntimeException | Error e) {
            listener.operated(new OperatorAction(operator, kind, subject, done.getAsLong(), true, now.get()));
            throw e;
        }
        if (changed > 0) {
            listener.operated(new OperatorAction(operator, kind, subject, changed * timers, false, now.get()));
        }
        return changed;
    }

    /** Returns the conditions of a query that were set, as a text for people. */
    private static String conditions(TimerQuery query) {
        StringBuilder text = new StringBuilder();
        TimerQuery.Filters filters = query.filters();
        append(text, "state", query.state());
        append(text, "queue", query.queue());
        append(text, "tenantId", query.tenantId());
        append(text, "type", query.type());
        append(text, "due from", query.dueFrom());
        append(text, "due before", query.dueBefore());
        append(text, "correlationId", filters.correlationId());
        append(text, "parallelKey", filters.parallelKey());
        append(text, "idPrefix", filters.idPrefix());
        append(text, "errorClass", filters.errorClass());
        return text.isEmpty() ? "of all kinds" : "with" + text;
    }

    private static void append(StringBuilder text, String name, @Nullable Object value) {
        if (value != null) {
            text.append(text.isEmpty() ? " " : ", ").append(name).append(' ').append(value);
        }
    }
}
