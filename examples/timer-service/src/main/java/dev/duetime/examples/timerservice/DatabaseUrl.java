package dev.duetime.examples.timerservice;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The URL of the database for timers. Immutable and thread-safe.
 *
 * @param url a JDBC URL, which may hold a login
 * @param isFile whether it is a file of SQLite, which one process at a time delivers from
 */
record DatabaseUrl(String url, boolean isFile) {
    /** Loops, housekeeping and commands use one connection each while a statement runs. */
    private static final int CONNECTIONS = 5;

    /**
     * Reads {@code TIMER_DB_PATH}.
     *
     * @throws IllegalArgumentException if it is neither a JDBC URL nor a file in a directory that exists
     */
    static DatabaseUrl of(String path) {
        if (path.startsWith("jdbc:")) {
            return new DatabaseUrl(path, path.startsWith("jdbc:sqlite:"));
        }
        String allowed = "a file in a directory that exists, or a JDBC URL";
        try {
            Path file = Path.of(path).toAbsolutePath().normalize();
            Path directory = file.getParent();
            if (directory == null || !Files.isDirectory(directory) || Files.isDirectory(file)) {
                throw Environment.refused("TIMER_DB_PATH", allowed, path);
            }
            // FULL: what is acknowledged to the broker also survives a power failure.
            return new DatabaseUrl("jdbc:sqlite:" + file + "?journal_mode=WAL&synchronous=FULL", true);
        } catch (InvalidPathException e) {
            throw Environment.refused("TIMER_DB_PATH", allowed, path);
        }
    }

    /** @throws RuntimeException if the database does not answer */
    HikariDataSource open() {
        HikariConfig config = new HikariConfig();
        config.setPoolName("timers");
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }

    /** Shows neither a login nor any setting. */
    @Override
    public String toString() {
        return Secrets.hidden(url).replaceFirst("[?;&].*", "");
    }
}
