package dev.duetime.examples.quickstart;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The H2 database file that keeps the timers.
 *
 * @param path the path without the ending that H2 adds
 */
record DatabaseFile(Path path) {

    /** Returns the one named by the system property {@code quickstart.database}. */
    static DatabaseFile configured() {
        String path = System.getProperty("quickstart.database", "quickstart");
        return new DatabaseFile(Path.of(path).toAbsolutePath());
    }

    HikariDataSource open() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:file:" + path + ";DB_CLOSE_ON_EXIT=FALSE");
        return new HikariDataSource(config);
    }

    void delete() throws IOException {
        Files.deleteIfExists(file());
    }

    private Path file() {
        return Path.of(path + ".mv.db");
    }

    @Override
    public String toString() {
        return file().toString();
    }
}
