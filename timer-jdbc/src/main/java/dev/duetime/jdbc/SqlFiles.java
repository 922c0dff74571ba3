package dev.duetime.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the statements of one database: its own file where there is one, else the common one. Thread-safe; each file is read
 * once.
 */
final class SqlFiles {
    private final String dialect;
    private final Map<String, SqlFile> files = new ConcurrentHashMap<>();
    private final Map<String, String> repeated = new ConcurrentHashMap<>();

    SqlFiles(String dialect) {
        this.dialect = dialect;
    }

    /** Returns the name of the folders of statements and migrations. */
    String dialect() {
        return dialect;
    }

    /** Returns a statement as it stands in its file. */
    String text(String name) {
        return file(name).once();
    }

    /** Returns a statement with its marked fragment repeated, the parameters numbered from 0. */
    String text(String name, int times) {
        return repeated.computeIfAbsent(name + " " + times, unused -> file(name).repeated(times));
    }

    private SqlFile file(String name) {
        return files.computeIfAbsent(name, unused -> SqlFile.parse(name, load(name)));
    }

    private String load(String name) {
        String own = read("sql/" + dialect + "/" + name + ".sql");
        String text = own != null ? own : read("sql/common/" + name + ".sql");
        if (text == null) {
            throw new IllegalArgumentException("there is no statement " + name + " for " + dialect);
        }
        return text;
    }

    private static @Nullable String read(String path) {
        try (InputStream file = SqlFiles.class.getResourceAsStream(path)) {
            return file == null ? null : new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
