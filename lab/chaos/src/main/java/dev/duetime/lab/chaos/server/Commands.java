package dev.duetime.lab.chaos.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A runner of commands of the operating system. */
public final class Commands {
    private static final Duration BETWEEN = Duration.ofMillis(50);

    private Commands() {}

    /**
     * Runs a command to its end.
     *
     * @throws IllegalStateException if it fails or takes too long; the message has what it printed
     */
    static void run(List<String> command, Duration limit) {
        try {
            Path output = Files.createTempFile("duetime-chaos", ".out");
            try {
                Process process = new ProcessBuilder(command)
                        .directory(Path.of("/").toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
                if (!ended || process.exitValue() != 0) {
                    process.destroyForcibly();
                    throw new IllegalStateException(
                            "%s failed: %s".formatted(String.join(" ", command), Files.readString(output)));
                }
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new IllegalStateException(command.get(0) + " cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * Waits until a database answers.
     *
     * @throws IllegalStateException if it does not in time
     */
    static void awaitAnswer(String url, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            try (Connection connection = DriverManager.getConnection(url)) {
                if (connection.isValid(5)) {
                    return;
                }
            } catch (SQLException e) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("the server does not answer after " + limit, e);
                }
            }
            pause(BETWEEN);
        }
    }

    /** Waits; an interrupt ends the trial. */
    public static void pause(Duration duration) {
        try {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
