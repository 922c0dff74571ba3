package dev.duetime.lab.console;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.console.ConsoleServer;
import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A test with a browser, two processes that deliver from PostgreSQL, and a third one that only serves the console. */
abstract class ClusterTest extends BrowserTest {
    private static final String POSTGRES = "DUETIME_TEST_POSTGRES_URL";
    private static final int MOST_TABS = 60;

    private final String schema = "duetime_test_" + UUID.randomUUID().toString().replace('-', '_');
    String postgres = "";
    HikariDataSource database;
    Scheduler scheduler;
    ConsoleServer server;
    List<NodeProcess> nodes = List.of();

    @TempDir
    static Path folder;

    @BeforeAll
    void start() throws SQLException, IOException {
        String named = System.getenv(POSTGRES);
        if (named == null && Boolean.parseBoolean(System.getenv("DUETIME_TEST_REQUIRED"))) {
            throw new AssertionError(POSTGRES + " must name a server");
        }
        Assumptions.assumeTrue(named != null, POSTGRES + " names no server");
        postgres = String.valueOf(named);
        execute("CREATE SCHEMA " + schema);
        String url = postgres + (postgres.contains("?") ? "&" : "?") + "currentSchema=" + schema;
        database = new HikariDataSource();
        database.setJdbcUrl(url);
        database.setMaximumPoolSize(4);
        scheduler = Scheduler.builder()
                .store(JdbcScheduleStore.of(database))
                .publisher(batch -> {})
                .build();
        server = ConsoleServer.start(scheduler, 0);
        Path failing = Files.createFile(folder.resolve("failing"));
        nodes = List.of(new NodeProcess(url, "north", failing), new NodeProcess(url, "south", failing));
        for (NodeProcess each : nodes) {
            each.awaitLog("more shards of queue default");
        }
    }

    @AfterAll
    void stop() throws Exception {
        for (NodeProcess each : nodes) {
            each.close();
        }
        if (server != null) {
            server.close();
            scheduler.close();
            database.close();
            execute("DROP SCHEMA " + schema + " CASCADE");
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    void schedule(String prefix, String type, int count) {
        scheduler.scheduleAll(IntStream.range(0, count)
                .mapToObj(i -> Timer.after(TimerKey.of("acme", prefix + i), Duration.ZERO)
                        .type(type)
                        .build())
                .toList());
    }

    Map<String, Instant> delivered(String prefix) {
        Map<String, Instant> all = new HashMap<>();
        nodes.forEach(node -> node.delivered().forEach((id, at) -> {
            if (id.startsWith(prefix)) {
                all.put(id, at);
            }
        }));
        return all;
    }

    void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError(what + ", but " + nodes);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** Moves the focus by the tabulator until it is where a selector says. */
    void tabTo(String selector) throws IOException, InterruptedException {
        for (int i = 0; i < MOST_TABS; i++) {
            if (holds("document.activeElement.matches('" + selector + "')")) {
                return;
            }
            browser.type(TAB);
        }
        throw new AssertionError("the focus must reach " + selector);
    }
}
