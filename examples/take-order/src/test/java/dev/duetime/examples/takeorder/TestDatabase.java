package dev.duetime.examples.takeorder;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;

/** The databases on which processes are killed. They survive the processes. */
enum TestDatabase {
    H2,
    SQLITE,
    POSTGRESQL,
    MARIADB,
    MYSQL;

    /** An empty part of a database, removed when it is closed; files are removed with their folder. */
    record Part(String url, String server, String drop) implements AutoCloseable {
        @Override
        public void close() throws SQLException {
            if (!drop.isEmpty()) {
                execute(server, drop);
            }
        }
    }

    /** Opens one; skips the test where there is no server, or fails it if all are required. */
    Part open(Path folder) throws SQLException {
        String name = "duetime_test_" + UUID.randomUUID().toString().replace('-', '_');
        return switch (this) {
            case H2 -> new Part("jdbc:h2:" + folder.resolve("shop"), "", "");
            case SQLITE ->
                new Part("jdbc:sqlite:" + folder.resolve("shop") + "?journal_mode=WAL&synchronous=NORMAL", "", "");
            case POSTGRESQL -> {
                String server = server("DUETIME_TEST_POSTGRES_URL");
                execute(server, "CREATE SCHEMA " + name);
                String url = server + (server.contains("?") ? "&" : "?") + "currentSchema=" + name;
                yield new Part(url, server, "DROP SCHEMA " + name + " CASCADE");
            }
            case MARIADB -> database("DUETIME_TEST_MARIADB_URL", name);
            case MYSQL -> database("DUETIME_TEST_MYSQL_URL", name);
        };
    }

    private static Part database(String variable, String name) throws SQLException {
        String server = server(variable);
        execute(server, "CREATE DATABASE " + name);
        String url = server.replaceFirst("^(jdbc:\\w+://[^/]+/)[^?]*", "$1" + name);
        return new Part(url, server, "DROP DATABASE " + name);
    }

    private static String server(String variable) {
        String url = System.getenv(variable);
        if (url == null) {
            String message = "name a running server by " + variable;
            if (Boolean.parseBoolean(System.getenv("DUETIME_TEST_REQUIRED"))) {
                throw new AssertionError(message);
            }
            return Assumptions.<String>abort(message);
        }
        return url;
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
