package dev.duetime.jdbc;

import dev.duetime.Micros;
import dev.duetime.TodoItem;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Is a row of a to-do list as it stands in the table, whoever wrote it. */
record TodoRow(String itemId, long overdueAt) {
    /** Is before all rows. */
    static final TodoRow FIRST = new TodoRow("", Long.MIN_VALUE);

    static TodoRow of(ResultSet row) throws SQLException {
        return new TodoRow(row.getString("item_id"), row.getLong("overdue_at"));
    }

    static TodoRow of(TodoItem item) {
        return new TodoRow(item.key().id(), Micros.toLong(item.overdueAt()));
    }
}
