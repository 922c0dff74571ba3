package dev.duetime.jdbc.internal.row;

import dev.duetime.internal.Micros;
import dev.duetime.store.ListItem;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A row of a to-do list as it is in the table, valid or not. */
public record TodoRow(String itemId, long overdueAt) {
    /** The position before all rows. */
    public static final TodoRow FIRST = new TodoRow("", Long.MIN_VALUE);

    public static TodoRow of(ResultSet row) throws SQLException {
        return new TodoRow(row.getString("item_id"), row.getLong("overdue_at"));
    }

    public static TodoRow of(ListItem item) {
        return new TodoRow(item.key().id(), Micros.toLong(item.overdueAt()));
    }
}
