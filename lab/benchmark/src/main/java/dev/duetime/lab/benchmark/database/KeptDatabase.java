package dev.duetime.lab.benchmark.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One database that outlives the run, so that the next run finds it filled. */
final class KeptDatabase implements FreshDatabases {
    private final FreshDatabases server;
    private final String name;

    KeptDatabase(FreshDatabases server, String name) {
        this.server = server;
        this.name = name;
    }

    @Override
    public String create() throws SQLException {
        return server.create(name);
    }

    @Override
    public void drop(String url) {
        // It is kept.
    }

    @Override
    public void settle(Connection connection) throws SQLException {
        server.settle(connection);
    }

    @Override
    public Map<String, String> settings(Connection connection) throws SQLException {
        return server.settings(connection);
    }

    @Override
    public @Nullable String serverUrl() {
        return server.serverUrl();
    }

    @Override
    public void close() throws SQLException {
        server.close();
    }
}
