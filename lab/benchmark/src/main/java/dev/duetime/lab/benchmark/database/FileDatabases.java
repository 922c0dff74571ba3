package dev.duetime.lab.benchmark.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Databases in files of a temporary directory, which write each commit to the disk before it returns. */
final class FileDatabases implements FreshDatabases {
    private final DatabaseKind kind;
    private final String url;
    private final Path directory;

    FileDatabases(DatabaseKind kind, String url) throws IOException {
        this.kind = kind;
        this.url = url;
        this.directory = Files.createTempDirectory("duetime-benchmark");
    }

    @Override
    public String create() {
        return url.formatted(directory.resolve(UUID.randomUUID().toString()));
    }

    @Override
    public void drop(String created) {
        deleteFiles(false);
    }

    @Override
    public void settle(Connection connection) throws SQLException {
        Sql.execute(connection, "ANALYZE");
        Sql.execute(connection, kind == DatabaseKind.H2 ? "CHECKPOINT" : "PRAGMA wal_checkpoint(TRUNCATE)");
    }

    @Override
    public Map<String, String> settings(Connection connection) throws SQLException {
        return Map.of("version", connection.getMetaData().getDatabaseProductVersion(), "url", url.formatted("FILE"));
    }

    @Override
    public @Nullable String serverUrl() {
        return null;
    }

    @Override
    public void close() {
        deleteFiles(true);
    }

    private void deleteFiles(boolean all) {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> filesFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path each : filesFirst) {
                if (all || !each.equals(directory)) {
                    Files.deleteIfExists(each);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
