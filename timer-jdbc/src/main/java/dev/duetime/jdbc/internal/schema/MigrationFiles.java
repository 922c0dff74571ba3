package dev.duetime.jdbc.internal.schema;

import dev.duetime.jdbc.internal.sql.NamedSql;
import dev.duetime.jdbc.internal.sql.TableNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The files of the migrations: one for each version and database, with the same names for each database. */
public final class MigrationFiles {
    /** The names of all migrations, in the order of their versions. A new migration is added here. */
    public static final List<String> NAMES = List.of(
            "V1__timers.sql",
            "V2__hints.sql",
            "V3__operators.sql",
            "V4__samples.sql",
            "V5__occurrences.sql",
            "V6__limits.sql",
            "V7__tenant_levels.sql");

    /** The folder on the class path that has a folder for each database. */
    public static final String FOLDER = "dev/duetime/jdbc/migrations";

    private MigrationFiles() {}

    /**
     * Returns a migration with the prefix of the tables. It names no schema: the schema must be the current one.
     *
     * @throws IllegalArgumentException if there is no such file
     */
    public static String read(String database, String name, TableNames names) {
        return new NamedSql(database, names).migration(text("/" + FOLDER + "/" + database + "/" + name));
    }

    /** Returns the script that distributes the tables over several servers of Citus. */
    static String citus(NamedSql named) {
        return named.namesInStrings(text("/dev/duetime/jdbc/citus.sql"));
    }

    private static String text(String path) {
        try (InputStream file = MigrationFiles.class.getResourceAsStream(path)) {
            if (file == null) {
                throw new IllegalArgumentException("there is no file " + path);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
