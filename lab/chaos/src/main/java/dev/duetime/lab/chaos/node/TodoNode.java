package dev.duetime.lab.chaos.node;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.lab.chaos.log.Entry.Phase;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.todo.TodoQueue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** The common part of the programs of nodes that run todos. */
final class TodoNode {
    private static final int CONNECTIONS = 8;
    private static final long NO_CONNECTION_MILLIS = 10_000;

    final NodeSettings settings;
    final Log log;

    TodoNode(String[] args) {
        settings = NodeSettings.parse(args);
        log = new Log(settings.log());
    }

    /** Starts a scheduler with this queue, and never closes it: nodes are killed. */
    void start(TodoQueue queue) {
        start(queue, CONNECTIONS);
    }

    /** Starts a scheduler with this queue and a pool of so many connections. */
    @SuppressWarnings("resource")
    void start(TodoQueue queue, int connections) {
        HikariDataSource pool = Scratch.pool(settings.url(), connections, NO_CONNECTION_MILLIS);
        Scheduler.builder()
                .store(JdbcScheduleStore.of(pool))
                .todoQueue(queue)
                .nodeId(settings.name())
                .leaseDuration(settings.lease())
                .build()
                .start();
        log.append(new Phase(Log.now(), "started", settings.name()));
    }

    /** Follows the commands of the parent, and ends when the parent is gone. */
    void obey(Consumer<String> order) throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            order.accept(line);
        }
        Runtime.getRuntime().halt(1);
    }
}
