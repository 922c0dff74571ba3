package dev.duetime.jdbc.contract;

import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The SQL files of this module, for tests that read their text. */
final class SqlSources {

    private SqlSources() {}

    /** Returns the files of a folder, in order of their names. */
    static List<Path> files(String folder) {
        try (Stream<Path> files = Files.list(path(folder))) {
            return files.filter(file -> file.toString().endsWith(".sql"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String nameOf(Path file) {
        return String.valueOf(file.getFileName()).replace(".sql", "");
    }

    static boolean exists(String file) {
        return JdbcScheduleStore.class.getResource(file) != null;
    }

    static String read(String file) {
        return read(path(file));
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path path(String resource) {
        try {
            return Path.of(JdbcScheduleStore.class.getResource(resource).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a statement without comments, on one line. */
    static String statement(String file) {
        return file.replaceAll("(?m)^--.*$", "").replaceAll("\\s+", " ").strip();
    }
}
