package dev.duetime.lab.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rule that an operator mends things by keyboard alone, for all nodes: two processes on PostgreSQL deliver, and a
 * third one only serves the console.
 */
@Tag("full")
class TwoNodesTest extends BrowserTest {
    private static final String POSTGRES = "DUETIME_TEST_POSTGRES_URL";
    private static final int DEAD = 3_000;
    private static final int MANY = 200;
    private static final int MOST_TABS = 60;

    private final String schema = "duetime_test_" + UUID.randomUUID().toString().replace('-', '_');
    private String postgres = "";
    private HikariDataSource database;
    private Scheduler scheduler;
    private ConsoleServer server;
    private List<NodeProcess> nodes = List.of();

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

    private void schedule(String prefix, String type, int count) {
        scheduler.scheduleAll(IntStream.range(0, count)
                .mapToObj(i -> Timer.after(TimerKey.of("acme", prefix + i), Duration.ZERO)
                        .type(type)
                        .build())
                .toList());
    }

    private Map<String, Instant> delivered(String prefix) {
        Map<String, Instant> all = new HashMap<>();
        nodes.forEach(node -> node.delivered().forEach((id, at) -> {
            if (id.startsWith(prefix)) {
                all.put(id, at);
            }
        }));
        return all;
    }

    private void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError(what + ", but " + nodes);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** Moves the focus by the tabulator until it is where a selector says. */
    private void tabTo(String selector) throws IOException, InterruptedException {
        for (int i = 0; i < MOST_TABS; i++) {
            if (holds("document.activeElement.matches('" + selector + "')")) {
                return;
            }
            browser.type(TAB);
        }
        throw new AssertionError("the focus must reach " + selector);
    }

    @Test
    void anOpenPageShowsThatATimerFires() throws Exception {
        scheduler.schedule(Timer.after(TimerKey.of("acme", "soon"), Duration.ofSeconds(3))
                .type("ping")
                .build());
        go(server, "timer?tenant=acme&id=soon");
        browser.await("scheduled");
        browser.script("window.stays = true");

        browser.await("reached");

        assertThat(holds("window.stays")).isTrue();
        assertThat(delivered("soon")).hasSize(1);
    }

    @Test
    void threeThousandDeadTimersAreRevivedByGroup() throws Exception {
        schedule("invoice-", "invoice", DEAD);
        TimerQuery dead = TimerQuery.all().state(TimerState.DEAD);
        await(
                "all invoices are dead",
                () -> scheduler.admin().views().countUpTo(dead, DEAD).timers() == DEAD);
        Files.delete(folder.resolve("failing"));

        go(server, "");
        browser.type("gd");
        browser.await("3,000");
        browser.type("j");
        tabTo("button[value=revive]");
        browser.type(ENTER);
        browser.await("Revive 3,000 timers?");
        tabTo("main button.main");
        browser.type(ENTER);
        browser.await("3,000 of 3,000 timers");
        browser.await("Revive: done");

        await("all invoices are delivered", () -> delivered("invoice-").size() == DEAD);
        assertThat(nodes).allSatisfy(node -> assertThat(node.delivered()).isNotEmpty());
        assertThat(scheduler.admin().views().countUpTo(dead, 10).timers()).isZero();
        browser.type("ga");
        browser.await("Activity");
        browser.await("local");
    }

    @Test
    void aPauseWithAReasonStopsBothNodes() throws Exception {
        go(server, "queue?name=default");
        tabTo("input[name=reason]");
        browser.type("the disk is full" + ENTER);
        browser.await("This queue is paused since");
        for (NodeProcess each : nodes) {
            each.awaitLog("because: the disk is full");
        }
        schedule("held-", "ping", MANY);
        browser.type("go");
        browser.await("the disk is full");
        browser.type("gn");
        browser.await("north");
        browser.await("south");

        go(server, "queue?name=default");
        Instant resumed = Instant.now();
        assertThat(delivered("held-")).isEmpty();
        tabTo("main form button");
        browser.type(ENTER);
        browser.await("The queue is resumed.");

        await("all are delivered", () -> delivered("held-").size() == MANY);
        assertThat(delivered("held-").values()).allMatch(at -> !at.isBefore(resumed));
    }
}
