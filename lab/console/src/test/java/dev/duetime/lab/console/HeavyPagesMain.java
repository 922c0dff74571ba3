package dev.duetime.lab.console;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Payload;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.console.Console;
import dev.duetime.console.ConsoleRequest;
import dev.duetime.console.ConsoleResponse;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.recurrence.Recurrence;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A process that opens each screen of a console on timers with large payloads. The exit code is 0 if it could. */
final class HeavyPagesMain {
    private static final int TIMERS = 160;
    private static final String TOKEN = "a".repeat(24);

    private HeavyPagesMain() {}

    /** Argument: the URL of the database. */
    public static void main(String[] args) {
        HikariDataSource database = new HikariDataSource();
        database.setJdbcUrl(args[0]);
        Scheduler scheduler = Scheduler.builder()
                .store(JdbcScheduleStore.of(database))
                .publisher(batch -> {})
                .build();
        Payload payload = Payload.of(('"' + "x".repeat(1024 * 1024 - 2) + '"').getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < TIMERS; i++) {
            Timer.Builder timer = i % 2 == 0
                    ? Timer.at("t-" + i, Instant.parse("2100-01-01T00:00:00Z"))
                    : Timer.recurring("t-" + i, Recurrence.every(Duration.ofDays(9_999)));
            scheduler.schedule(timer.payload(payload).build());
        }
        Console console = Console.of(scheduler).showPayloads().build();
        for (Map<String, String> query : lists()) {
            for (String path : List.of("/timers", "/recurring", "/dead", "/", "/queue", "/nodes", "/lists")) {
                show(console, "GET", path, query);
            }
            show(console, "POST", "/do/ask", query);
        }
        for (int i = 0; i < TIMERS; i++) {
            show(console, "GET", "/timer", Map.of("tenant", "default", "id", "t-" + i));
        }
        Runtime.getRuntime().halt(0);
    }

    /** Returns the conditions of lists. Open pages of all of them are kept for a short time. */
    private static List<Map<String, String>> lists() {
        List<Map<String, String>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String after = "default/t-" + i + "/";
            all.add(Map.of("queue", "default", "name", "default", "order", "wake", "action", "deliver"));
            all.add(Map.of("queue", "default", "name", "default", "after", after, "action", "deliver"));
            all.add(Map.of(
                    "state", "scheduled", "type", "timer", "name", "default", "after", after, "action", "deliver"));
        }
        return all;
    }

    private static void show(Console console, String method, String path, Map<String, String> query) {
        Map<String, List<String>> parameters = new HashMap<>(Map.of("token", List.of(TOKEN)));
        query.forEach((name, value) -> parameters.put(name, List.of(value)));
        ConsoleResponse answer = console.answer(new ConsoleRequest(
                method,
                path,
                parameters,
                Map.of("host", "localhost", "hx-request", "true", "cookie", "duetime-console=" + TOKEN),
                InetAddress.getLoopbackAddress()));
        if (answer.status() != 200) {
            throw new IllegalStateException(path + query + ": " + new String(answer.body(), StandardCharsets.UTF_8));
        }
    }
}
