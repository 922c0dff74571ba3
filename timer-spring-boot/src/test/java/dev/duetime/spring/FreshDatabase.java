package dev.duetime.spring;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;

/** An empty database for one test, removed when closed. */
record FreshDatabase(String url, String user, String password, String admin, String name) implements AutoCloseable {

    static FreshDatabase h2() {
        return new FreshDatabase("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "", "", "");
    }

    /** Skips the test if no server is named, unless all databases are required. */
    static FreshDatabase postgres() {
        String admin = System.getenv("DUETIME_TEST_POSTGRES_URL");
        if (admin == null) {
            if (Boolean.parseBoolean(System.getenv("DUETIME_TEST_REQUIRED"))) {
                throw new AssertionError("DUETIME_TEST_POSTGRES_URL must name a server");
            }
            Assumptions.abort("DUETIME_TEST_POSTGRES_URL names no server");
        }
        String name = "duetime_test_" + UUID.randomUUID().toString().replace('-', '_');
        run(admin, "CREATE DATABASE " + name);
        URI server = URI.create(admin.substring("jdbc:".length()));
        String url = "jdbc:postgresql://%s/%s?%s".formatted(server.getAuthority(), name, server.getQuery());
        return new FreshDatabase(url, parameter(server, "user"), parameter(server, "password"), admin, name);
    }

    private static String parameter(URI server, String name) {
        for (String each : server.getQuery().split("&", -1)) {
            if (each.startsWith(name + "=")) {
                return each.substring(name.length() + 1);
            }
        }
        return "";
    }

    private static void run(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (!admin.isEmpty()) {
            run(admin, "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
        }
    }
}
