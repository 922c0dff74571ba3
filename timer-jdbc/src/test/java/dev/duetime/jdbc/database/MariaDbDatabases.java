package dev.duetime.jdbc.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Databases on a MariaDB server that the environment names. */
public final class MariaDbDatabases implements FreshDatabases {
    private static final String SERVER = "DUETIME_TEST_MARIADB_URL";

    private final List<String> created = new ArrayList<>();
    private final String url;

    public MariaDbDatabases(String url) {
        this.url = url;
    }

    public MariaDbDatabases() {
        String named = System.getenv(SERVER);
        if (named == null) {
            throw FreshDatabases.missing("MariaDB is not tested: name a running server by " + SERVER
                    + ", such as jdbc:mariadb://localhost/test?user=root&sslMode=disable");
        }
        url = named;
    }

    @Override
    public String create() {
        String database = FreshDatabases.newName();
        execute("CREATE DATABASE " + database);
        created.add(database);
        return url.replaceFirst("^(jdbc:mariadb://[^/]+/)[^?]*", "$1" + database);
    }

    @Override
    public void close() {
        created.forEach(database -> execute("DROP DATABASE " + database));
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
