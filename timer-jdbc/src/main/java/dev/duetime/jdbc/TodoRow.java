package dev.duetime.jdbc;

import dev.duetime.Micros;
import dev.duetime.TodoItem;
import dev.duetime.TodoKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Is a row of a to-do list as it stands in the table, whoever wrote it. */
record TodoRow(String itemId, long overdueAt) {
    private static final Logger LOG = LoggerFactory.getLogger(TodoRow.class);

    /** Is before all rows. */
    static final TodoRow FIRST = new TodoRow("", Long.MIN_VALUE);

    static TodoRow of(ResultSet row) throws SQLException {
        return new TodoRow(row.getString("item_id"), row.getLong("overdue_at"));
    }

    static TodoRow of(TodoItem item) {
        return new TodoRow(item.key().id(), Micros.toLong(item.overdueAt()));
    }

    /** Returns the item; null, and says so, if none can have such an id or time. */
    @Nullable
    TodoItem item(String list) {
        try {
            return new TodoItem(new TodoKey(list, itemId), Micros.ofLong(overdueAt));
        } catch (IllegalArgumentException e) {
            LOG.warn("a row of to-do list {} is passed over, since it is none of an item: {}", list, e.getMessage());
            return null;
        }
    }
}
