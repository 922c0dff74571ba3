package dev.duetime.jdbc.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schemas on a PostgreSQL server that the environment names, or else on an embedded one. */
public final class PostgresDatabases implements FreshDatabases {
    private static final String SERVER = "DUETIME_TEST_POSTGRES_URL";

    private final List<String> created = new ArrayList<>();
    private final List<String> databases = new ArrayList<>();
    private final String url;

    /** Uses a running server. */
    public PostgresDatabases(String url) {
        this.url = url;
    }

    public PostgresDatabases() {
        String named = System.getenv(SERVER);
        url = named != null ? named : Embedded.url();
    }

    @Override
    public String create() {
        String schema = FreshDatabases.newName();
        execute("CREATE SCHEMA " + schema);
        created.add(schema);
        return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema;
    }

    /** Returns the URL of a new database beside the one that the server was named with. */
    public String createDatabase() {
        String database = FreshDatabases.newName();
        execute("CREATE DATABASE " + database);
        databases.add(database);
        return url.replaceFirst("(//[^/]+/)[^?]*", "$1" + database);
    }

    @Override
    public void close() {
        databases.forEach(database -> execute("DROP DATABASE " + database + " WITH (FORCE)"));
        created.forEach(schema -> execute("DROP SCHEMA " + schema + " CASCADE"));
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** The embedded server. All tests of this process use it, because its start takes seconds. It ends with them. */
    private static final class Embedded {
        private static @Nullable EmbeddedPostgres server;
        private static @Nullable String failure;

        static synchronized String url() {
            if (server == null && failure == null) {
                try {
                    server = EmbeddedPostgres.builder().start();
                } catch (IOException | RuntimeException e) {
                    failure = e.toString();
                }
            }
            if (server == null) {
                throw FreshDatabases.missing("PostgreSQL is not tested: the embedded server does not start here ("
                        + failure + "); name a running one by " + SERVER
                        + ", such as jdbc:postgresql://localhost/test?user=postgres");
            }
            return server.getJdbcUrl("postgres", "postgres");
        }
    }
}
