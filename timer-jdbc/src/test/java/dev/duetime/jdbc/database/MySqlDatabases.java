package dev.duetime.jdbc.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Databases on a MySQL server that the environment names. */
public final class MySqlDatabases implements FreshDatabases {
    private static final String SERVER = "DUETIME_TEST_MYSQL_URL";

    private final List<String> created = new ArrayList<>();
    private final String url;

    public MySqlDatabases(String url) {
        this.url = url;
    }

    public MySqlDatabases() {
        this(named());
    }

    private static String named() {
        String named = System.getenv(SERVER);
        if (named == null) {
            throw FreshDatabases.missing("MySQL is not tested: name a running server by " + SERVER
                    + ", such as jdbc:mysql://localhost/test?user=root&sslMode=DISABLED");
        }
        return named;
    }

    @Override
    public String create() {
        String database = FreshDatabases.newName();
        execute("CREATE DATABASE " + database);
        created.add(database);
        return url.replaceFirst("^(jdbc:\\w+://[^/]+/)[^?]*", "$1" + database);
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
