package dev.duetime.examples.orders;

import java.sql.SQLException;

/** The process on H2: write model, list and timers in one database. */
class OrdersDayOnDatabaseTest extends OrdersDay {
    OrdersDayOnDatabaseTest() throws SQLException {
        super(Shop.onDatabase());
    }
}
