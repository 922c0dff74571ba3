package dev.duetime.lab.console;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.console.ConsoleServer;
import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/**
 * A process that serves the console and nothing else, until its input ends. For each byte of it, it prints for how long
 * its JVM has compiled.
 */
final class ServerMain {
    static final String ADDRESS = "address ";
    static final String COMPILED = "compiled ";

    private ServerMain() {}

    /** Argument: the URL of the database. */
    public static void main(String[] args) throws IOException {
        try (HikariDataSource database = new HikariDataSource()) {
            database.setJdbcUrl(args[0]);
            database.setMaximumPoolSize(4);
            try (Scheduler scheduler = Scheduler.builder()
                            .store(JdbcScheduleStore.of(database))
                            .publisher(batch -> {})
                            .queue("mail", queue -> queue.publisher(batch -> {}))
                            .queue("reports", queue -> queue.publisher(batch -> {}))
                            .build();
                    ConsoleServer server = ConsoleServer.start(scheduler, 0)) {
                System.out.println(ADDRESS + server.address());
                while (System.in.read() >= 0) {
                    System.out.println(
                            COMPILED + ManagementFactory.getCompilationMXBean().getTotalCompilationTime());
                }
            }
        }
    }
}
