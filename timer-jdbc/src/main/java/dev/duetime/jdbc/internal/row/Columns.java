package dev.duetime.jdbc.internal.row;

import dev.duetime.TimerKey;
import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.sql.DriverStatement.Parameter;
import dev.duetime.store.Settlement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A batch that is bound to one statement as an array for each column, as PostgreSQL's {@code unnest} takes it. Not
 * thread-safe.
 */
public final class Columns<R> implements DriverStatement.Binder {
    private final List<R> rows;
    private final Map<String, Column> columns = new HashMap<>();
    private final Map<String, @Nullable String> settings = new HashMap<>();

    /** Elements of one type of the database. */
    @SuppressWarnings("ArrayRecordComponent") // instances are never compared
    private record Column(String type, @Nullable Object[] values) {}

    public Columns(List<R> rows) {
        this.rows = rows;
    }

    @Override
    public void bind(PreparedStatement statement, int position, Parameter parameter) throws SQLException {
        if (settings.containsKey(parameter.name())) {
            statement.setString(position, settings.get(parameter.name()));
            return;
        }
        Column column = Objects.requireNonNull(columns.get(parameter.name()), parameter.name());
        statement.setArray(position, statement.getConnection().createArrayOf(column.type, column.values));
    }

    /** Adds a value for the whole batch. */
    public Columns<R> setting(String name, @Nullable String value) {
        settings.put(name, value);
        return this;
    }

    /** Adds the tenants of the keys, each once. */
    public Columns<R> tenants(Stream<TimerKey> keys) {
        String[] tenants = keys.map(TimerKey::tenantId).distinct().toArray(String[]::new);
        columns.put("tenants", new Column("text", tenants));
        return this;
    }

    /** Adds the places of the rows, null for each that is not known. Returns whether any is known. */
    public boolean places(@Nullable Places known, List<? extends Settlement> outcomes) {
        if (known == null) {
            return false;
        }
        @Nullable String[] places = new String[outcomes.size()];
        boolean any = false;
        for (int i = 0; i < places.length; i++) {
            Settlement outcome = outcomes.get(i);
            places[i] = known.take(outcome.key(), outcome.generation());
            any |= places[i] != null;
        }
        columns.put("place", new Column("text", places));
        return any;
    }

    /** Adds a column of any type. */
    public Columns<R> add(String name, ColumnType type, Function<R, ? extends @Nullable Object> value) {
        return column(name, type.element(), value, type.array(rows.size()));
    }

    public Columns<R> text(String name, Function<R, @Nullable String> value) {
        return column(name, "text", value, new String[rows.size()]);
    }

    public Columns<R> integer(String name, ToIntFunction<R> value) {
        return column(name, "int4", value::applyAsInt, new Integer[rows.size()]);
    }

    public Columns<R> bigint(String name, ToLongFunction<R> value) {
        return column(name, "int8", value::applyAsLong, new Long[rows.size()]);
    }

    Columns<R> bool(String name, Function<R, Boolean> value) {
        return column(name, "bool", value, new Boolean[rows.size()]);
    }

    public Columns<R> bytes(String name, Function<R, byte @Nullable []> value) {
        return column(name, "bytea", value, new byte[rows.size()][]);
    }

    public Columns<R> instant(String name, Function<R, @Nullable Instant> value) {
        return column(
                name,
                "int8",
                row -> {
                    Instant instant = value.apply(row);
                    return instant == null ? null : Micros.toLong(instant);
                },
                new Long[rows.size()]);
    }

    /** {@code unnest} fills up a shorter array with nulls, for less than it costs to send and read them. */
    private <T> Columns<R> column(
            String name, String type, Function<R, ? extends @Nullable T> value, @Nullable T[] values) {
        int length = 0;
        for (int i = 0; i < values.length; i++) {
            values[i] = value.apply(rows.get(i));
            if (values[i] != null) {
                length = i + 1;
            }
        }
        columns.put(name, new Column(type, length == values.length ? values : Arrays.copyOf(values, length)));
        return this;
    }
}
