package dev.duetime.jdbc.internal.row;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** The type of a column, as PostgreSQL names it in arrays and as JDBC names it where the value is null. */
public enum ColumnType {
    TEXT("text", Types.VARCHAR),
    INTEGER("int4", Types.INTEGER),
    BIGINT("int8", Types.BIGINT),
    BOOLEAN("bool", Types.BOOLEAN),
    BYTES("bytea", Types.VARBINARY);

    private final String element;
    private final int jdbc;

    ColumnType(String element, int jdbc) {
        this.element = element;
        this.jdbc = jdbc;
    }

    /** Returns how PostgreSQL names the elements of an array of it. */
    String element() {
        return element;
    }

    /** Returns an array of it, as the driver takes it. */
    @Nullable
    Object[] array(int length) {
        return switch (this) {
            case TEXT -> new String[length];
            case INTEGER -> new Integer[length];
            case BIGINT -> new Long[length];
            case BOOLEAN -> new Boolean[length];
            case BYTES -> new byte[length][];
        };
    }

    public void bind(PreparedStatement statement, int position, @Nullable Object value) throws SQLException {
        if (value == null) {
            statement.setNull(position, jdbc);
        } else if (value instanceof String text) {
            statement.setString(position, text);
        } else if (value instanceof Long number) {
            statement.setLong(position, number);
        } else if (value instanceof Integer number) {
            statement.setInt(position, number);
        } else if (value instanceof Boolean is) {
            statement.setBoolean(position, is);
        } else {
            statement.setBytes(position, (byte[]) value);
        }
    }
}
