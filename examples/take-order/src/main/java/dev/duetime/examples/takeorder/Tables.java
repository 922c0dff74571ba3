package dev.duetime.examples.takeorder;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The shop's own tables, in the database that keeps the todos. Everything is written in a transaction of the caller. No
 * key prevents a sale, a number or a like from being written twice: that is up to the caller.
 */
final class Tables {
    static final int PARTITIONS = 16;

    private static final List<String> DEFINITIONS = List.of(
            "CREATE TABLE IF NOT EXISTS shop_orders (order_id varchar(100) NOT NULL PRIMARY KEY,"
                    + " partition_no integer NOT NULL, customer varchar(100) NOT NULL, order_number integer,"
                    + " status varchar(20) NOT NULL)",
            "CREATE TABLE IF NOT EXISTS shop_partitions (partition_no integer NOT NULL PRIMARY KEY,"
                    + " last_number integer NOT NULL)",
            "CREATE TABLE IF NOT EXISTS shop_sales (order_id varchar(100) NOT NULL, vendor varchar(100) NOT NULL,"
                    + " cents bigint NOT NULL, receipt varchar(100) NOT NULL)",
            "CREATE TABLE IF NOT EXISTS shop_likes (post varchar(100) NOT NULL PRIMARY KEY, likes integer NOT NULL)");

    private Tables() {}

    /** Creates the tables that are not there. */
    static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String each : DEFINITIONS) {
                statement.execute(each);
            }
        }
        for (int i = number(connection, "SELECT count(*) FROM shop_partitions") + 1; i <= PARTITIONS; i++) {
            update(connection, "INSERT INTO shop_partitions VALUES (?, 0)", i);
        }
    }

    static void store(Connection connection, Order order) throws SQLException {
        update(
                connection,
                "INSERT INTO shop_orders (order_id, partition_no, customer, status) VALUES (?, ?, ?, 'STORED')",
                order.id(),
                order.partition(),
                order.customer());
    }

    /** Gives an order the next number of its partition, without gaps. */
    static void stamp(Connection connection, Order order) throws SQLException {
        update(
                connection,
                "UPDATE shop_partitions SET last_number = last_number + 1 WHERE partition_no = ?",
                order.partition());
        int number =
                number(connection, "SELECT last_number FROM shop_partitions WHERE partition_no = ?", order.partition());
        update(
                connection,
                "UPDATE shop_orders SET order_number = ?, status = 'STAMPED' WHERE order_id = ?",
                number,
                order.id());
    }

    static void insertSale(Connection connection, Order order) throws SQLException {
        update(
                connection,
                "INSERT INTO shop_sales (order_id, vendor, cents, receipt) VALUES (?, ?, ?, ?)",
                order.id(),
                order.vendor(),
                order.cents(),
                order.receipt());
    }

    /** Sets the status of an order. */
    static void status(Connection connection, Order order, String status) throws SQLException {
        update(connection, "UPDATE shop_orders SET status = ? WHERE order_id = ?", status, order.id());
    }

    static void addLikes(Connection connection, String post, int likes) throws SQLException {
        if (update(connection, "UPDATE shop_likes SET likes = likes + ? WHERE post = ?", likes, post) == 0) {
            update(connection, "INSERT INTO shop_likes (post, likes) VALUES (?, ?)", post, likes);
        }
    }

    /** Returns the number that a query finds. */
    static int number(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, values)) {
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    private static int update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, values)) {
            return statement.executeUpdate();
        }
    }

    @SuppressWarnings("resource") // it is the caller's
    private static PreparedStatement prepared(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
