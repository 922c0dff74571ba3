package dev.duetime.jdbc.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** SQLite in files, with a write-ahead log; the mode of transactions is the default one, DEFERRED. */
public final class SqliteDatabases implements FreshDatabases {
    private final Path directory;

    public SqliteDatabases() {
        try {
            directory = Files.createTempDirectory("duetime");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String create() {
        return "jdbc:sqlite:" + directory.resolve(FreshDatabases.newName()) + "?journal_mode=WAL&synchronous=NORMAL";
    }

    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> filesFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : filesFirst) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
