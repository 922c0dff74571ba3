package dev.duetime.lab.benchmark.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Databases on a running server of MariaDB or MySQL. Their names begin as those of the tests do, because the login has
 * rights for these.
 */
final class MariaDbDatabases implements FreshDatabases {
    private static final List<String> SETTINGS = List.of(
            "version",
            "innodb_flush_log_at_trx_commit",
            "sync_binlog",
            "log_bin",
            "innodb_doublewrite",
            "innodb_buffer_pool_size",
            "innodb_log_file_size",
            "max_connections");

    private final String url;

    MariaDbDatabases(DatabaseKind kind, @Nullable String url) {
        if (url == null) {
            throw new IllegalArgumentException(
                    "%1$s must be named by --url, such as jdbc:%1$s://localhost/test?user=root"
                            .formatted(kind.label()));
        }
        this.url = url;
    }

    @Override
    public String create() throws SQLException {
        return create("duetime_test_benchmark_" + UUID.randomUUID().toString().replace('-', '_'));
    }

    @Override
    public String create(String name) throws SQLException {
        Sql.execute(url, "CREATE DATABASE IF NOT EXISTS " + name);
        return url.replaceFirst("^(jdbc:\\w+://[^/]+/)[^?]*", "$1" + name);
    }

    @Override
    public void drop(String created) throws SQLException {
        Sql.execute(url, "DROP DATABASE " + created.replaceFirst("^jdbc:\\w+://[^/]+/([^?]*).*", "$1"));
    }

    @Override
    public void settle(Connection connection) throws SQLException {
        Sql.value(
                        connection,
                        "SELECT group_concat(table_name) FROM information_schema.tables"
                                + " WHERE table_schema = database() AND table_type = 'BASE TABLE'")
                .ifPresent(tables -> analyze(connection, tables));
    }

    private static void analyze(Connection connection, String tables) {
        try {
            Sql.execute(connection, "ANALYZE TABLE " + tables);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Map<String, String> settings(Connection connection) throws SQLException {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String name : SETTINGS) {
            settings.put(name, Sql.value(connection, "SELECT @@" + name).orElse(""));
        }
        return settings;
    }

    @Override
    public String serverUrl() {
        return url;
    }

    @Override
    public void close() {
        // Each database was dropped by its own run.
    }
}
