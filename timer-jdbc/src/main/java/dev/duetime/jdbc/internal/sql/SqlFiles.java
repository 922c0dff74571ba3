package dev.duetime.jdbc.internal.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one database. A file of the database's variant comes first, then one of the database, then the
 * common one. Thread-safe; each file is read once, and gets the names of the tables then.
 */
public final class SqlFiles {
    private static final String COMMON = "common";

    private final String dialect;
    private final List<String> folders;
    private final TableNames names;
    private final NamedSql named;
    private final Map<String, SqlFile> files = new ConcurrentHashMap<>();
    private final Map<String, String> repeated = new ConcurrentHashMap<>();
    private final Map<String, DriverStatement> drivers = new ConcurrentHashMap<>();

    public SqlFiles(String dialect) {
        this(dialect, List.of(dialect, COMMON), TableNames.AS_WRITTEN);
    }

    /** Reads the statements that differ in the variant from its own folder. */
    public SqlFiles(String dialect, String variant) {
        this(dialect, List.of(variant, dialect, COMMON), TableNames.AS_WRITTEN);
    }

    private SqlFiles(String dialect, List<String> folders, TableNames names) {
        this.dialect = dialect;
        this.folders = folders;
        this.names = names;
        named = new NamedSql(dialect, names);
    }

    /** Reads the statements that differ from those of a similar database from the dialect's own folder. */
    public static SqlFiles like(String similar, String dialect) {
        return new SqlFiles(dialect, List.of(dialect, similar, COMMON), TableNames.AS_WRITTEN);
    }

    /** Returns the same statements on tables with other names. */
    public SqlFiles on(TableNames other) {
        return new SqlFiles(dialect, folders, other);
    }

    /** Returns the names of the tables in the statements. */
    public TableNames names() {
        return names;
    }

    /** Returns the name of the folders of statements and migrations. */
    public String dialect() {
        return dialect;
    }

    /** Returns the unchanged text of a statement's file. */
    public String text(String name) {
        return file(name).once();
    }

    /** Returns a statement with its marked fragment repeated, the parameters numbered from 0. */
    public String text(String name, int times) {
        return repeated.computeIfAbsent(name + " " + times, unused -> file(name).repeated(times));
    }

    /** Returns a statement without the conditions that were not requested. */
    public String text(String name, Set<String> conditions) {
        return repeated.computeIfAbsent(
                name + " " + new TreeSet<>(conditions),
                unused -> SqlFile.parse(name, load(name), conditions::contains).once());
    }

    /** Returns a statement as the driver takes it. */
    public DriverStatement driver(String name) {
        return drivers.computeIfAbsent(name, unused -> DriverStatement.of(text(name)));
    }

    /** Returns a statement with its marked fragment repeated, as the driver takes it. */
    public DriverStatement driver(String name, int times) {
        return drivers.computeIfAbsent(name + " " + times, unused -> DriverStatement.of(text(name, times)));
    }

    /** Returns a statement as the driver takes it, after another one that takes no parameters. */
    public DriverStatement driverAfter(String first, String name) {
        return drivers.computeIfAbsent(
                first + " " + name, unused -> DriverStatement.of(text(name)).after(text(first)));
    }

    /**
     * Returns a statement without the conditions that were not requested, after another statement that takes no
     * parameters.
     */
    public DriverStatement driverAfter(String first, String name, Set<String> conditions) {
        return drivers.computeIfAbsent(
                first + " " + name + " " + new TreeSet<>(conditions),
                unused -> DriverStatement.of(text(name, conditions)).after(text(first)));
    }

    /** Returns a repeated statement as the driver takes it, after another one that takes no parameters. */
    public DriverStatement driverAfter(String first, String name, int times) {
        return drivers.computeIfAbsent(
                first + " " + name + " " + times,
                unused -> DriverStatement.of(text(name, times)).after(text(first)));
    }

    private SqlFile file(String name) {
        return files.computeIfAbsent(name, unused -> SqlFile.parse(name, load(name)));
    }

    private String load(String name) {
        for (String folder : folders) {
            String text = read("/dev/duetime/jdbc/sql/" + folder + "/" + name + ".sql");
            if (text != null) {
                return named.statement(text);
            }
        }
        throw new IllegalArgumentException("there is no statement " + name + " for " + dialect);
    }

    private static @Nullable String read(String path) {
        try (InputStream file = SqlFiles.class.getResourceAsStream(path)) {
            return file == null ? null : new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
