package dev.duetime.jdbc.internal.row;

import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.jdbc.internal.sql.MarkedConditions;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a query for statements with {@linkplain MarkedConditions marked conditions}: the names of the
 * conditions, and the values of their parameters. Not thread-safe.
 */
public final class Conditions {
    private final Set<String> names = new HashSet<>();
    private final Map<String, Object> values = new HashMap<>();

    public static Conditions of(TimerQuery asked) {
        return ofQueue(asked.queue())
                .with("tenantId", asked.tenantId())
                .with("type", asked.type())
                .with("dueFrom", bound(asked.dueFrom()))
                .with("dueBefore", bound(asked.dueBefore()))
                .state(asked.state());
    }

    public static Conditions ofQueue(@Nullable String queue) {
        return new Conditions().with("queue", queue);
    }

    private static @Nullable Long bound(@Nullable Instant instant) {
        return instant == null ? null : MicrosecondBounds.before(instant);
    }

    private Conditions with(String name, @Nullable Object value) {
        if (value != null) {
            names.add(name);
            values.put(name, value);
        }
        return this;
    }

    /** A statement names the state literally if few rows are in it, so that the database plans for that. */
    private Conditions state(@Nullable TimerState state) {
        if (state == TimerState.SCHEDULED || state == TimerState.DEAD) {
            names.add(state == TimerState.DEAD ? "dead" : "scheduled");
        } else if (state != null) {
            names.add("ended");
            values.put("state", state.name());
        }
        return this;
    }

    /** Adds the condition that rows come after a key, which need not be the key of a timer. */
    public Conditions after(String tenantId, String timerId, String scope) {
        names.add("after");
        values.put("afterTenantId", tenantId);
        values.put("afterTimerId", timerId);
        values.put("afterScope", scope);
        return this;
    }

    /** Limits how many timers the statement examines. */
    public Conditions bounded() {
        names.add("bounded");
        return this;
    }

    /**
     * Returns the statement with these conditions and no other.
     *
     * @param looked how many timers it examines at most, if it is bounded
     * @param limit how many rows it returns at most
     */
    public Query query(Handle handle, SqlFiles sql, String statement, int looked, int limit) {
        String text = sql.text(statement, names)
                .replace("<looked>", Integer.toString(looked))
                .replace("<limit>", Integer.toString(limit));
        Query query = handle.createQuery(text);
        values.forEach((name, value) -> {
            if (text.contains(":" + name)) {
                query.bind(name, value);
            }
        });
        return query;
    }
}
