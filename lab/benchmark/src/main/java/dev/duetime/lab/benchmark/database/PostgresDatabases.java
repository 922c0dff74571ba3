package dev.duetime.lab.benchmark.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Schemas on a PostgreSQL server. The server is one that already runs, or our own, which is as durable as in
 * production.
 */
final class PostgresDatabases implements FreshDatabases {
    private static final List<String> SETTINGS = List.of(
            "server_version",
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "wal_compression",
            "max_wal_size",
            "checkpoint_timeout",
            "shared_buffers",
            "autovacuum",
            "max_connections");

    private final String url;
    private final @Nullable EmbeddedPostgres embedded;

    PostgresDatabases(String url, @Nullable EmbeddedPostgres embedded) {
        this.url = url;
        this.embedded = embedded;
    }

    /** Starts a server. It switches on again what the embedded server switches off for tests. */
    static PostgresDatabases embedded() throws IOException, SQLException {
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("shared_buffers", "512MB")
                .setServerConfig("max_wal_size", "8GB")
                .setServerConfig("max_connections", "300")
                .start();
        return new PostgresDatabases(server.getJdbcUrl("postgres", "postgres"), server);
    }

    @Override
    public String create() throws SQLException {
        return create("duetime_benchmark_" + UUID.randomUUID().toString().replace('-', '_'));
    }

    @Override
    public String create(String name) throws SQLException {
        Sql.execute(url, "CREATE SCHEMA IF NOT EXISTS " + name);
        return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + name;
    }

    @Override
    public void drop(String created) throws SQLException {
        Sql.execute(url, "DROP SCHEMA " + created.substring(created.lastIndexOf('=') + 1) + " CASCADE");
    }

    @Override
    public void settle(Connection connection) throws SQLException {
        Sql.execute(connection, "VACUUM ANALYZE");
        boolean allowed = Sql.value(
                        connection,
                        "SELECT rolsuper OR pg_has_role('pg_checkpoint', 'MEMBER') FROM pg_roles"
                                + " WHERE rolname = current_user")
                .equals(java.util.Optional.of("t"));
        if (allowed) {
            Sql.execute(connection, "CHECKPOINT");
        }
    }

    @Override
    public Map<String, String> settings(Connection connection) throws SQLException {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String name : SETTINGS) {
            settings.put(name, Sql.value(connection, "SHOW " + name).orElse(""));
        }
        return settings;
    }

    @Override
    public String serverUrl() {
        return url;
    }

    @Override
    public void close() {
        if (embedded != null) {
            try {
                embedded.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
