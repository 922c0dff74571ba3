package dev.duetime.jdbc.internal.row;

import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.internal.ErrorClass;
import dev.duetime.internal.Limits;
import dev.duetime.jdbc.internal.sql.MarkedConditions;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
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

    /** Returns whether an index of the statements answers all filters of the query. */
    public static boolean indexAnswers(TimerQuery asked) {
        TimerQuery.Filters filters = asked.filters();
        boolean indexesIds = asked.tenantId() != null;
        return filters.isEmpty()
                || (indexesIds && filters.equals(new TimerQuery.Filters(null, null, filters.idPrefix(), null)));
    }

    public static Conditions of(TimerQuery asked) {
        TimerQuery.Filters filters = asked.filters();
        return ofQueue(asked.queue())
                .with("tenantId", asked.tenantId())
                .with("type", asked.type())
                .with("dueFrom", bound(asked.dueFrom()))
                .with("dueBefore", bound(asked.dueBefore()))
                .with("correlationId", filters.correlationId())
                .with("parallelKey", filters.parallelKey())
                .ids(filters.idPrefix(), asked.tenantId() != null)
                .error(filters.errorClass())
                .state(asked.state());
    }

    public static Conditions ofQueue(@Nullable String queue) {
        Conditions all = new Conditions().with("queue", queue);
        if (queue == null) {
            all.names.add("everyQueue");
        }
        return all;
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

    /**
     * Adds the condition that ids begin with a prefix. With a tenant it is a range of the key, which an index answers.
     */
    private Conditions ids(@Nullable String prefix, boolean ofTenant) {
        if (prefix != null) {
            names.add(ofTenant ? "idRange" : "idPrefix");
            with("prefix", prefix).with("prefixEnd", end(prefix));
            names.removeAll(Set.of("prefix", "prefixEnd"));
        }
        return this;
    }

    /** Returns the first text, in the order of code points, after all texts that begin with the prefix. */
    private static String end(String prefix) {
        int[] points = prefix.codePoints().toArray();
        for (int last = points.length - 1; last >= 0; last--) {
            if (points[last] < Character.MAX_CODE_POINT) {
                int next = points[last] + 1;
                boolean isSurrogate = next >= Character.MIN_SURROGATE && next <= Character.MAX_SURROGATE;
                points[last] = isSurrogate ? Character.MAX_SURROGATE + 1 : next;
                return new String(points, 0, last + 1);
            }
        }
        return Character.toString(Character.MAX_CODE_POINT).repeat(Limits.KEY_LENGTH + 1);
    }

    /**
     * Adds the condition that the error is of a class, or begins with it: a class that was cut has no colon after it.
     */
    private Conditions error(@Nullable String errorClass) {
        if (errorClass != null) {
            int length = errorClass.codePointCount(0, errorClass.length());
            String start = length < ErrorClass.MOST_CHARACTERS ? errorClass + ":" : errorClass;
            with("errorClass", errorClass).with("errorStart", start);
            values.put("errorStartLength", start.codePointCount(0, start.length()));
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

    /**
     * Adds the condition that rows come after a key, which need not be the key of a timer. If the tenant is given too,
     * the condition on the rest of the key is added: without it PostgreSQL reads the index from the tenant's first
     * entry, so that each page takes longer than the one before. A key before the range of ids that was asked for is
     * left out: PostgreSQL would read the index from there, and not from the beginning of the range.
     */
    public Conditions after(String tenantId, String timerId, String scope) {
        if (names.contains("idRange")
                && tenantId.equals(values.get("tenantId"))
                && isBefore(timerId, values.get("prefix"))) {
            return this;
        }
        names.add("after");
        if (tenantId.equals(values.get("tenantId"))) {
            names.add("afterInTenant");
        }
        values.put("afterTenantId", tenantId);
        values.put("afterTimerId", timerId);
        values.put("afterScope", scope);
        return this;
    }

    /** Compares by code points, as the databases do. */
    private static boolean isBefore(String timerId, @Nullable Object prefix) {
        return Arrays.compareUnsigned(
                        timerId.getBytes(StandardCharsets.UTF_8),
                        String.valueOf(prefix).getBytes(StandardCharsets.UTF_8))
                < 0;
    }

    /**
     * Replaces the condition for dead timers by one that leaves out rows in a state that this version does not know. An
     * index by state has such rows between the others, so a database sorts all of them to return them in order of keys.
     * They are read by a statement {@linkplain #onlyUnknownStates of their own}.
     */
    public Conditions withoutUnknownStates() {
        if (names.remove("dead")) {
            names.add("ended");
            values.put("state", TimerState.DEAD.name());
        }
        return this;
    }

    /** Replaces the condition for dead timers by one that leaves out those in the state DEAD. */
    public Conditions onlyUnknownStates() {
        if (names.remove("dead")) {
            names.add("unknown");
        }
        return this;
    }

    /**
     * Writes the condition on the tenant as a range. PostgreSQL makes a generic plan after some calls, and expects an
     * average tenant then. If such a tenant has fewer timers than a statement may examine, it would read all timers of
     * the tenant and sort them. Of a range it expects more, so it reads the index in its order. A range of ids within
     * the tenant keeps the condition, because the index needs it. So does a page after a key of another tenant, which
     * would begin there.
     */
    public Conditions tenantAsRange() {
        boolean beginsElsewhere = names.contains("after") && !names.contains("afterInTenant");
        if (!names.contains("idRange") && !beginsElsewhere && names.remove("tenantId")) {
            names.add(names.remove("afterInTenant") ? "tenantEnd" : "tenantRange");
        }
        return this;
    }

    /** Limits how many timers the statement examines. */
    public Conditions bounded() {
        names.add("bounded");
        return this;
    }

    /** Lets the statement read payloads and headers. Without this, or {@link #listed}, it cannot return timers. */
    public Conditions whole() {
        names.add("whole");
        return this;
    }

    /**
     * Lets the statement return NULL in the place of payloads and headers, so that the database does not read them.
     */
    public Conditions listed() {
        names.add("listed");
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
