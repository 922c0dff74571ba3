package dev.duetime.jdbc.internal.row;

import dev.duetime.internal.Micros;
import dev.duetime.store.ListItem;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row of a to-do list as it is in the table, valid or not.
 *
 * @param isWhole whether the id is the stored one. If not, no statement finds the row by it
 */
public record TodoRow(String itemId, long overdueAt, boolean isWhole) {
    /** The position before all rows. */
    public static final TodoRow FIRST = new TodoRow("", Long.MIN_VALUE, true);

    public static TodoRow of(ResultSet row) throws SQLException {
        String itemId = row.getString("item_id");
        boolean isWhole = StoredText.isWhole(itemId, () -> row.getBytes("item_id"));
        return new TodoRow(itemId, row.getLong("overdue_at"), isWhole);
    }

    public static TodoRow of(ListItem item) {
        return new TodoRow(item.key().id(), Micros.toLong(item.overdueAt()), true);
    }
}
