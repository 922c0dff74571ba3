package dev.duetime.jdbc.internal.row;

import dev.duetime.internal.Micros;
import dev.duetime.internal.TraceHeaders;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.store.NewTimer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A column of {@code timer_schedules}. Statements that read timers name all but the last four, in this order, because a
 * row is read faster by position than by name. A column that a schedule writes has a type and a value. The statement
 * sets the others itself.
 */
public enum TimerColumn {
    TENANT_ID(ColumnType.TEXT, timer -> timer.key().tenantId()),
    TIMER_ID(ColumnType.TEXT, timer -> timer.key().timerId()),
    SCOPE(ColumnType.TEXT, timer -> timer.key().scope()),
    QUEUE(ColumnType.TEXT, timer -> timer.content().queue()),
    SHARD(ColumnType.INTEGER, NewTimer::shard),
    DUE_AT(ColumnType.BIGINT, timer -> Micros.toLong(timer.content().dueAt())),
    WAKE_AT,
    EXPIRES_AT(ColumnType.BIGINT, timer -> TimerRows.micros(timer.content().expiresAt())),
    STATE,
    GENERATION(ColumnType.BIGINT, NewTimer::generation),
    ATTEMPT,
    TYPE(ColumnType.TEXT, timer -> timer.content().type()),
    PAYLOAD(ColumnType.BYTES, timer -> timer.content().payload().bytes()),
    HEADERS(
            ColumnType.TEXT,
            timer -> HeadersJson.write(TraceHeaders.without(timer.content().headers()))),
    TRACE(
            ColumnType.TEXT,
            timer -> HeadersJson.write(TraceHeaders.of(timer.content().headers()))),
    PRIORITY(ColumnType.INTEGER, timer -> timer.content().priority()),
    CORRELATION_ID(ColumnType.TEXT, timer -> timer.content().correlationId()),
    PARALLEL_KEY(ColumnType.TEXT, timer -> timer.content().parallelKey()),
    CORRELATION_KEY(ColumnType.TEXT, timer -> timer.content().correlationKey()),
    RECURRENCE(ColumnType.TEXT, timer -> timer.content().recurrence()),
    CATCH_UP(ColumnType.TEXT, timer -> name(timer.content().catchUp())),
    STEP(ColumnType.TEXT, timer -> timer.content().step()),
    REGISTERED_AT(ColumnType.BIGINT, timer -> Micros.toLong(timer.registeredAt())),
    SETTLED_AT,
    ERROR,
    FIRST_FAILED_AT,
    LAST_FAILED_AT,
    PREVIOUS_AT,

    /** The length of payload, headers, trace and error; only in reads of due timers. */
    CONTENT_BYTES,

    /** The physical place of the row; only in reads of due timers where {@link Places} are known. */
    PLACE,

    /** The size of the table; likewise. */
    TABLE_BYTES,

    /** The answer of an upsert, where one statement decides about a schedule. Only that statement reads it. */
    REARM(ColumnType.BOOLEAN, NewTimer::rearm);

    /** The columns that a schedule writes, by the names of their parameters. */
    private static final Map<String, TimerColumn> WRITTEN = Arrays.stream(values())
            .filter(column -> column.type != null)
            .collect(Collectors.toUnmodifiableMap(TimerColumn::parameter, Function.identity()));

    private final @Nullable ColumnType type;

    @SuppressWarnings("ImmutableEnumChecker") // A function without state.
    private final Function<NewTimer, ? extends @Nullable Object> value;

    TimerColumn() {
        type = null;
        value = timer -> null;
    }

    TimerColumn(ColumnType type, Function<NewTimer, ? extends @Nullable Object> value) {
        this.type = type;
        this.value = value;
    }

    /** Returns the columns that a schedule writes. */
    public static Iterable<TimerColumn> written() {
        return WRITTEN.values();
    }

    /**
     * Returns the column that a schedule writes by the parameter of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static TimerColumn ofParameter(String name) {
        TimerColumn column = WRITTEN.get(name);
        if (column == null) {
            throw new IllegalArgumentException("no timer has a " + name);
        }
        return column;
    }

    /** Returns the columns that are read, in their order. */
    public static List<TimerColumn> read() {
        return Arrays.stream(values())
                .filter(column -> column.compareTo(CONTENT_BYTES) < 0)
                .toList();
    }

    private static @Nullable String name(@Nullable CatchUp catchUp) {
        return catchUp == null ? null : catchUp.name();
    }

    /** Returns its name in the database. */
    public String columnName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the name of its parameter. */
    public String parameter() {
        StringBuilder parameter = new StringBuilder();
        for (String word : columnName().split("_", -1)) {
            parameter.append(parameter.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return parameter.toString();
    }

    /**
     * Returns the type of the column.
     *
     * @throws IllegalStateException if a schedule does not write it
     */
    public ColumnType type() {
        ColumnType written = type;
        if (written == null) {
            throw new IllegalStateException("no schedule writes " + columnName());
        }
        return written;
    }

    /** Returns what a schedule writes. */
    @Nullable
    public Object value(NewTimer timer) {
        return value.apply(timer);
    }

    @SuppressWarnings(
            "EnumOrdinal") // Statements name the columns in the order of this list; SqlTextsTest compares them.
    private int place() {
        return ordinal() + 1;
    }

    public String text(ResultSet row) throws SQLException {
        return row.getString(place());
    }

    /** Returns whether {@link #text} is the stored one, and has no replacements for bytes that are not UTF-8. */
    boolean isWhole(ResultSet row) throws SQLException {
        return StoredText.isWhole(text(row), () -> bytes(row));
    }

    byte[] bytes(ResultSet row) throws SQLException {
        return row.getBytes(place());
    }

    int integer(ResultSet row) throws SQLException {
        return row.getInt(place());
    }

    public long bigint(ResultSet row) throws SQLException {
        return row.getLong(place());
    }

    Instant instant(ResultSet row) throws SQLException {
        return Micros.ofLong(row.getLong(place()));
    }

    @Nullable
    Instant instantOrNull(ResultSet row) throws SQLException {
        long micros = row.getLong(place());
        return row.wasNull() ? null : Micros.ofLong(micros);
    }
}
