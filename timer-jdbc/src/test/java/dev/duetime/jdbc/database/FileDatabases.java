package dev.duetime.jdbc.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Files of H2 or SQLite beside the one that a URL names, with its settings; also H2 in memory. */
final class FileDatabases implements FreshDatabases {
    private static final Pattern URL = Pattern.compile("(jdbc:(?:h2:(?:file:|mem:)?|sqlite:))([^;?]+)(.*)");

    private final List<Path> created = new ArrayList<>();
    private final Matcher named;

    /**
     * Uses the place of a file.
     *
     * @throws IllegalArgumentException if the URL names none
     */
    FileDatabases(String url) {
        named = URL.matcher(url);
        if (!named.matches()) {
            throw new IllegalArgumentException("URL must name a file of H2 or SQLite but was " + url);
        }
    }

    @Override
    public synchronized String create() {
        String path = named.group(2) + "-" + FreshDatabases.newName();
        created.add(Path.of(path).toAbsolutePath());
        String settings = named.group(3);
        boolean inMemory = named.group(1).endsWith("mem:") && !settings.contains("DB_CLOSE_DELAY");
        return named.group(1) + path + settings + (inMemory ? ";DB_CLOSE_DELAY=-1" : "");
    }

    /** Deletes the files, with the logs and locks that lie beside them under the same name. */
    @Override
    public synchronized void close() {
        try {
            for (Path path : created) {
                delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path path) throws IOException {
        Path directory = path.getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> all = Files.list(directory)) {
            String name = String.valueOf(path.getFileName());
            List<Path> ours = all.filter(
                            each -> String.valueOf(each.getFileName()).startsWith(name))
                    .toList();
            for (Path each : ours) {
                Files.deleteIfExists(each);
            }
        }
    }
}
