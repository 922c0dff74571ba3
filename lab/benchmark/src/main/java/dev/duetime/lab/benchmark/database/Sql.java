package dev.duetime.lab.benchmark.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** A runner of statements and scripts whose speed is not measured. */
public final class Sql {
    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*(--|#).*$");

    private Sql() {}

    static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            execute(connection, sql);
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Makes autovacuum clean up all tables of the current schema once a hundredth of their rows is dead. */
    public static void vacuumOften(Connection connection) throws SQLException {
        execute(connection, """
                DO $$
                DECLARE each text;
                BEGIN
                    FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
                        EXECUTE format('ALTER TABLE %I SET (autovacuum_vacuum_scale_factor = 0.01,'
                            ' autovacuum_vacuum_cost_delay = 0)', each);
                    END LOOP;
                END $$
                """);
    }

    /** Runs a script, statement by statement. */
    public static void script(Connection connection, String script) throws SQLException {
        for (String sql : COMMENT.matcher(script).replaceAll("").split(";", -1)) {
            if (!sql.isBlank()) {
                execute(connection, sql);
            }
        }
    }

    /** Returns the first column of the first row; empty if there is none, or it is NULL. */
    public static Optional<String> value(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
            }
        }
    }

    /** Returns a resource of this package, or of the class path if the name begins with a slash. */
    public static String resource(String name) {
        try (InputStream stream = Sql.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalArgumentException("resource " + name + " is missing");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a resource without its comment lines. */
    public static String statement(String name) {
        return String.join(
                "\n",
                Arrays.stream(resource(name).split("\n", -1))
                        .filter(line -> !line.startsWith("--"))
                        .toList());
    }
}
