package dev.duetime.jdbc;

import dev.duetime.Micros;
import dev.duetime.TimerKey;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Binds a batch to one statement as an array for each column, as PostgreSQL's {@code unnest} takes it. Not thread-safe. */
final class Columns<R> {
    private final List<R> rows;
    private final SqlStatement<?> statement;

    Columns(List<R> rows, SqlStatement<?> statement) {
        this.rows = rows;
        this.statement = statement;
    }

    /** Binds the tenants of the keys, each once. */
    static void tenants(Stream<TimerKey> keys, SqlStatement<?> statement) {
        new Columns<>(keys.map(TimerKey::tenantId).distinct().toList(), statement).text("tenants", Function.identity());
    }

    Columns<R> text(String name, Function<R, @Nullable String> value) {
        return array(name, "text", value, String[]::new);
    }

    Columns<R> integer(String name, ToIntFunction<R> value) {
        return array(name, "int4", value::applyAsInt, Integer[]::new);
    }

    Columns<R> bigint(String name, ToLongFunction<R> value) {
        return array(name, "int8", value::applyAsLong, Long[]::new);
    }

    Columns<R> bool(String name, Function<R, Boolean> value) {
        return array(name, "bool", value, Boolean[]::new);
    }

    Columns<R> bytes(String name, Function<R, byte[]> value) {
        return array(name, "bytea", value, byte[][]::new);
    }

    Columns<R> instant(String name, Function<R, @Nullable Instant> value) {
        return array(
                name,
                "int8",
                row -> {
                    Instant instant = value.apply(row);
                    return instant == null ? null : Micros.toLong(instant);
                },
                Long[]::new);
    }

    private <T> Columns<R> array(
            String name, String type, Function<R, ? extends @Nullable T> value, IntFunction<T[]> array) {
        T[] values = rows.stream().map(value).toArray(array);
        statement.bind(name, (Argument) (position, prepared, context) ->
                prepared.setArray(position, prepared.getConnection().createArrayOf(type, values)));
        return this;
    }
}
