package dev.duetime.examples.timerservice;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A schema, or database, of one test on the server that the environment names; removed when closed. */
final class OwnDatabase implements AutoCloseable {
    private final String url;
    private final String server;
    private final String drop;

    private OwnDatabase(String url, String server, String drop) {
        this.url = url;
        this.server = server;
        this.drop = drop;
    }

    /** A kind of database that {@code TIMER_DB_PATH} can name, beside files of SQLite. */
    enum Product {
        H2,
        POSTGRESQL,
        MARIADB,
        MYSQL
    }

    /**
     * Creates the database. Without a server the test is skipped, or fails if {@code DUETIME_TEST_REQUIRED} is true.
     */
    static OwnDatabase open(Product product) throws SQLException {
        String name = "duetime_test_" + UUID.randomUUID().toString().replace("-", "");
        return switch (product) {
            case H2 -> new OwnDatabase("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1", "jdbc:h2:mem:", "SELECT 1");
            case POSTGRESQL -> {
                String server = server("DUETIME_TEST_POSTGRES_URL");
                execute(server, "CREATE SCHEMA " + name);
                String schema = (server.contains("?") ? "&" : "?") + "currentSchema=" + name;
                yield new OwnDatabase(server + schema, server, "DROP SCHEMA " + name + " CASCADE");
            }
            case MARIADB -> database("DUETIME_TEST_MARIADB_URL", name);
            case MYSQL -> database("DUETIME_TEST_MYSQL_URL", name);
        };
    }

    private static OwnDatabase database(String variable, String name) throws SQLException {
        String server = server(variable);
        execute(server, "CREATE DATABASE " + name);
        String url = server.replaceFirst("(//[^/]+/)[^?]*", "$1" + name);
        return new OwnDatabase(url, server, "DROP DATABASE " + name);
    }

    private static String server(String variable) {
        String url = System.getenv(variable);
        if (url == null) {
            String missing = "TIMER_DB_PATH is not tested with this database: name a server by " + variable;
            if (Boolean.parseBoolean(System.getenv("DUETIME_TEST_REQUIRED"))) {
                Assertions.fail(missing);
            }
            return Assumptions.abort(missing);
        }
        return url;
    }

    String url() {
        return url;
    }

    /** Returns how many rows a table, or anything else that may follow {@code FROM}, has. */
    int count(String rows) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM " + rows)) {
            result.next();
            return result.getInt(1);
        }
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        execute(server, drop);
    }
}
