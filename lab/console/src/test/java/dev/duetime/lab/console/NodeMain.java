package dev.duetime.lab.console;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A node that delivers in a process of its own, until its input ends. It prints what it delivers, and when. */
final class NodeMain {
    static final String DELIVERED = "delivered ";

    private NodeMain() {}

    /** Arguments: the URL of the database, the name of the node, and a file. While it exists, invoices fail. */
    public static void main(String[] args) throws IOException {
        Path failing = Path.of(args[2]);
        try (HikariDataSource database = new HikariDataSource()) {
            database.setJdbcUrl(args[0]);
            database.setMaximumPoolSize(4);
            try (Scheduler scheduler = Scheduler.builder()
                    .store(JdbcScheduleStore.of(database))
                    .nodeId(args[1])
                    .pollInterval(Duration.ofMillis(200))
                    .retry(RetryPolicy.fixed(Duration.ofSeconds(1)).noRetryOn(IllegalStateException.class))
                    .publisher(batch -> publish(batch, Files.exists(failing)))
                    .build()) {
                scheduler.start();
                while (System.in.read() >= 0) {
                    // Until the test ends or closes its end.
                }
            }
        }
    }

    private static void publish(List<Envelope> batch, boolean fails) throws PartialPublishException {
        Map<String, Exception> failures = new HashMap<>();
        for (Envelope each : batch) {
            if (fails && each.type().equals("invoice")) {
                failures.put(each.id(), new IllegalStateException("the ledger is closed"));
            } else {
                System.out.println(DELIVERED + each.key().timerId() + " " + Instant.now());
            }
        }
        if (!failures.isEmpty()) {
            throw new PartialPublishException(failures);
        }
    }
}
