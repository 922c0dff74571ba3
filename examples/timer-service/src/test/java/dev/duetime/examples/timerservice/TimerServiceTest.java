package dev.duetime.examples.timerservice;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the service in this process, against a real NATS server. */
@Timeout(60)
class TimerServiceTest {
    private static final String PAST = "2026-01-01T00:00:00Z";

    @TempDir
    Path directory;

    private OwnStreams streams;
    private Map<String, String> environment;

    @BeforeEach
    void open() throws Exception {
        streams = OwnStreams.open();
        environment = streams.environment(directory);
        streams.create(environment);
    }

    @AfterEach
    void close() throws Exception {
        streams.close();
    }

    @Test
    void aCommandBecomesAnEventThatCarriesItsPayload() throws Exception {
        try (TimerService service = start()) {
            streams.send(environment, """
                {"tenantId":"acme","timerId":"order-17","dueAt":"%s","correlationId":"c-1","payload":{"orderId":17}}\
                """.formatted(Instant.now().plusMillis(200)));

            Envelope event = streams.await(environment, 1).get(0);

            assertThat(event.key().timerId()).isEqualTo("order-17");
            assertThat(event.toJson()).contains("\"event\":\"DueTimeReached\"", "\"payload\":{\"orderId\":17}");
            assertThat(event.correlationId()).isEqualTo("c-1");
            assertThat(event.event().lateness()).isGreaterThanOrEqualTo(Duration.ZERO);
            Await.until(
                    "its count", () -> metric(service, "timer_schedules_processed_total{outcome=\"delivered\"}") == 1);
            assertThat(metric(service, "timer_commands_received_total{outcome=\"created\"}"))
                    .isEqualTo(1);
            assertThat(metric(service, "timer_polling_duration_seconds_count")).isPositive();
            assertThat(get(service, "/health").body())
                    .isEqualTo("{\"status\":\"UP\",\"broker\":\"CONNECTED\",\"scheduler\":\"HEALTHY\","
                            + "\"commands\":\"RUNNING\"}\n");
        }
        streams.awaitNoCommands(environment);
    }

    @Test
    void aRepeatAfterTheTimerWasReachedIsIgnored() throws Exception {
        try (TimerService service = start()) {
            streams.send(environment, command("a", PAST));
            streams.await(environment, 1);
            Await.until("its outcome", () -> count("timer_schedules WHERE state = 'REACHED'") == 1);

            streams.send(environment, command("a", PAST), command("a", "2026-02-02T00:00:00Z"), command("b", PAST));

            assertThat(streams.await(environment, 2))
                    .extracting(each -> each.key().timerId())
                    .containsExactly("a", "b");
            Await.until("the counts", () -> received(service, "ignored") == 2 && received(service, "created") == 2);
        }
    }

    @Test
    void theLastOfSeveralCommandsForATimerWins() throws Exception {
        Instant due = Instant.now().plusMillis(700).truncatedTo(ChronoUnit.MILLIS);
        streams.send(
                environment,
                command("a", "2036-12-31T00:00:00Z"),
                command("a", PAST.replace("2026", "2036")),
                command("a", due.toString()),
                command("a", due.toString()));
        try (TimerService service = start()) {
            Envelope event = streams.await(environment, 1).get(0);

            assertThat(event.event().dueAt()).isEqualTo(due);
            Await.until(
                    "the counts",
                    () -> received(service, "created") == 1
                            && received(service, "rescheduled") == 2
                            && received(service, "unchanged") == 1);
        }
    }

    @Test
    void anInvalidCommandIsTerminatedAndCountedAndDelaysNoOther() throws Exception {
        streams.send(
                environment,
                "no JSON",
                "{\"tenantId\":\"acme\",\"timerId\":\"x\",\"dueAt\":\"soon\"}",
                command("a", PAST),
                "{\"tenantId\":\"acme\",\"timerId\":\"y\",\"dueAt\":\"%s\",\"queue\":\"unknown\"}".formatted(PAST),
                "{\"tenantId\":\"acme\",\"timerId\":\"z\",\"dueAt\":\"%s\",\"expiresAt\":\"%s\"}".formatted(PAST, PAST),
                "{\"tenantId\":\"acme\",\"timerId\":\"big\",\"dueAt\":\"%s\",\"payload\":\"%s\"}"
                        .formatted(PAST, "x".repeat(1_000_000)),
                command("b", PAST));
        try (TimerService service = start()) {
            List<Envelope> events = streams.await(environment, 2);

            assertThat(events).extracting(each -> each.key().timerId()).containsExactly("a", "b");
            streams.awaitNoCommands(environment);
            assertThat(received(service, "malformed")).isEqualTo(4);
            assertThat(received(service, "expired")).isEqualTo(1);
            assertThat(received(service, "created")).isEqualTo(2);
        }
    }

    @Test
    void aCommandOfValidJsonOverTheLimitsDelaysNoOther() throws Exception {
        String rest = "\"tenantId\":\"acme\",\"timerId\":\"x\",\"dueAt\":\"%s\"}".formatted(PAST);
        String cron = "{\"tenantId\":\"acme\",\"timerId\":\"%s\",\"recurrence\":\"cron \\\"%s\\\" UTC\"}";
        streams.send(
                environment,
                command("a", PAST),
                "{\"payload\":" + "[".repeat(501) + "]".repeat(501) + "," + rest,
                "{\"payload\":" + "1".repeat(1_001) + "," + rest,
                "{\"" + "n".repeat(50_001) + "\":1," + rest,
                cron.formatted("bad", "*/5 1-/ 1 1 1"),
                cron.formatted("yearly", "0 0 1 1 *"),
                command("b", PAST));
        try (TimerService service = start()) {
            assertThat(streams.await(environment, 2))
                    .extracting(each -> each.key().timerId())
                    .containsExactly("a", "b");
            streams.awaitNoCommands(environment);
            assertThat(received(service, "malformed")).isEqualTo(4);
            assertThat(received(service, "created")).as("cron-utils is there").isEqualTo(3);
        }
    }

    @Test
    void aCommandWhoseRowTheDatabaseRefusesIsGivenUpAndDelaysNoOther() throws Exception {
        try (TimerService service = start();
                HikariDataSource database = new BreakableDataSource(
                        Settings.of(environment).database().url())) {
            execute(
                    database,
                    "CREATE TRIGGER refuse BEFORE INSERT ON timer_schedules WHEN NEW.timer_id = 'refused'"
                            + " BEGIN SELECT RAISE(ABORT, 'not this one'); END");

            streams.send(environment, command("a", PAST), command("refused", PAST), command("b", PAST));

            assertThat(streams.await(environment, 2))
                    .extracting(each -> each.key().timerId())
                    .containsExactly("a", "b");
            streams.awaitNoCommands(environment);
            // The broker also counts a delivery that was lost on its way.
            assertThat(received(service, "failed")).isBetween(2.0, 5.0);
            assertThat(received(service, "store_failed")).isZero();
        }
    }

    /** The default of the store is to wait for ten seconds. */
    @Test
    @Timeout(8)
    void aRowThatIsHeldDelaysNoOtherCommandForLong() throws Exception {
        try (OwnDatabase database = OwnDatabase.open(OwnDatabase.Product.H2)) {
            environment.put("TIMER_DB_PATH", database.url());
            try (TimerService service = start();
                    Connection holder = DriverManager.getConnection(database.url());
                    Statement statement = holder.createStatement()) {
                streams.send(environment, command("held", "2099-01-01T00:00:00Z"));
                streams.awaitNoCommands(environment);
                holder.setAutoCommit(false);
                statement.execute("SELECT 1 FROM timer_schedules FOR UPDATE");

                streams.send(environment, command("held", "2100-01-01T00:00:00Z"), command("a", PAST));

                assertThat(streams.await(environment, 1))
                        .extracting(each -> each.key().timerId())
                        .containsExactly("a");
                holder.rollback();
                Await.until("the held one", () -> received(service, "rescheduled") == 1);
            }
        }
    }

    @Test
    void aPayloadOfManyLinesIsPublishedAsTheJsonThatItIs() throws Exception {
        String payload = "{\n" + "  \"a\": 1,\n".repeat(60_000) + "  \"b\": null\n}";
        try (TimerService service = start()) {
            streams.send(
                    environment,
                    "{\"tenantId\":\"acme\",\"timerId\":\"a\",\"dueAt\":\"%s\",\"payload\": %s }"
                            .formatted(PAST, payload),
                    "{\"tenantId\":\"acme\",\"timerId\":\"b\",\"dueAt\":\"%s\",\"payload\":null}".formatted(PAST));

            List<Envelope> events = streams.await(environment, 2);

            assertThat(new String(events.get(0).event().payload().bytes(), StandardCharsets.UTF_8))
                    .isEqualTo(payload.replace('\n', ' '));
            assertThat(events.get(1).toJson()).endsWith("\"payload\":null}");
            assertThat(service.port()).isPositive();
        }
    }

    /** Its event has more fields than the command, and headers of NATS. */
    @Test
    void theEventOfTheLargestCommandFitsIntoAMessage() throws Exception {
        int largest = 1024 * 1024 - 4 * 1024;
        try (TimerService service = start()) {
            streams.send(environment, commandOf(largest, "a"), commandOf(largest + 1, "b"), command("c", PAST));

            assertThat(streams.await(environment, 2))
                    .extracting(each -> each.key().timerId())
                    .containsExactlyInAnyOrder("a", "c");
            streams.awaitNoCommands(environment);
            assertThat(received(service, "created")).isEqualTo(2);
            assertThat(received(service, "malformed")).as("too large").isEqualTo(1);
        }
    }

    /** Returns a command of so many bytes: with the largest payload, and headers for the rest. */
    private static String commandOf(int bytes, String timerId) {
        String payload = "x".repeat(960 * 1024 - 2);
        StringBuilder command =
                new StringBuilder("{\"tenantId\":\"acme\",\"timerId\":\"%s\",\"dueAt\":\"%s\",\"payload\":\"%s\""
                        .formatted(timerId, PAST, payload));
        command.append(",\"headers\":{");
        for (int i = 10; i < 25; i++) {
            command.append("\"h%d\":\"%s\",".formatted(i, "y".repeat(4_000)));
        }
        command.append("\"h\":\"\"}}");
        return command.insert(command.length() - 3, "z".repeat(bytes - command.length()))
                .toString();
    }

    @Test
    void aCommandIsAcknowledgedOnlyWhenItsTimerIsDurable() throws Exception {
        BreakableDataSource database =
                new BreakableDataSource(Settings.of(environment).database().url());
        try (TimerService service = TimerService.start(Settings.of(environment), database, UnaryOperator.identity())) {
            database.broken = true;
            streams.send(environment, command("a", PAST), command("b", PAST));
            Await.until("a failure", () -> received(service, "store_failed") >= 2);
            assertThat(streams.events(environment)).isEmpty();

            database.broken = false;

            assertThat(streams.await(environment, 2)).hasSize(2);
            streams.awaitNoCommands(environment);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aJdbcUrlReplacesTheFile(OwnDatabase.Product product) throws Exception {
        try (OwnDatabase database = OwnDatabase.open(product)) {
            environment.put("TIMER_DB_PATH", database.url());
            try (TimerService service = start()) {
                streams.send(environment, command("a", PAST));

                assertThat(streams.await(environment, 1)).hasSize(1);
                Await.until("its count", () -> received(service, "created") == 1);
            }
            assertThat(database.count("timer_schedules WHERE timer_id = 'a'")).isEqualTo(1);
        }
    }

    @Test
    void tablesOfTheUserInTheSameFileStay() throws Exception {
        String url = Settings.of(environment).database().url();
        try (HikariDataSource owner = new BreakableDataSource(url)) {
            execute(owner, "CREATE TABLE events (id INTEGER PRIMARY KEY, name TEXT)");
            execute(owner, "INSERT INTO events (name) VALUES ('OrderPlaced')");
            try (TimerService service = start()) {
                streams.send(environment, command("a", PAST));
                streams.await(environment, 1);
                execute(owner, "INSERT INTO events (name) SELECT name FROM events");
                assertThat(service.port()).isPositive();
            }
            assertThat(count("events")).isEqualTo(2);
            assertThat(count("timer_schedules")).isEqualTo(1);
        }
    }

    private int count(String rows) throws Exception {
        try (Connection connection = DriverManager.getConnection(
                        Settings.of(environment).database().url());
                Statement statement = connection.createStatement()) {
            return statement.executeQuery("SELECT count(*) FROM " + rows).getInt(1);
        }
    }

    private TimerService start() throws Exception {
        return TimerService.start(Settings.of(environment));
    }

    private static String command(String timerId, String dueAt) {
        return "{\"tenantId\":\"acme\",\"timerId\":\"%s\",\"dueAt\":\"%s\"}".formatted(timerId, dueAt);
    }

    private static void execute(HikariDataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static double received(TimerService service, String outcome) throws Exception {
        return metric(service, "timer_commands_received_total{outcome=\"%s\"}".formatted(outcome));
    }

    private static double metric(TimerService service, String name) throws Exception {
        return get(service, "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + name));
    }

    private static HttpResponse<String> get(TimerService service, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + service.port() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
