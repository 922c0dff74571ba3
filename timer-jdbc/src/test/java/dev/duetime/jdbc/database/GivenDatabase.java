package dev.duetime.jdbc.database;

import dev.duetime.jdbc.contract.JdbcPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * Databases on the server of {@code DUETIME_TEST_URL}: new ones, or, with {@code DUETIME_TEST_IN_PLACE=true}, the named
 * database itself. In the second case our tables are dropped before and after, and tests that need a second database
 * are skipped.
 */
public final class GivenDatabase implements FreshDatabases {
    static final String URL = "DUETIME_TEST_URL";
    static final String IN_PLACE = "DUETIME_TEST_IN_PLACE";
    static final String AFTER_MIGRATION = "DUETIME_TEST_AFTER_MIGRATION";

    private static final List<String> DROPS = List.of(
            "DROP VIEW IF EXISTS timer_schedules_readable",
            "DROP TABLE IF EXISTS timer_schedules",
            "DROP TABLE IF EXISTS timer_shards",
            "DROP TABLE IF EXISTS timer_nodes",
            "DROP TABLE IF EXISTS timer_pauses",
            "DROP TABLE IF EXISTS timer_merge_slots",
            "DROP TABLE IF EXISTS timer_todo_items",
            "DROP TABLE IF EXISTS timer_hints",
            "DROP TABLE IF EXISTS timer_samples",
            "DROP TABLE IF EXISTS timer_occurrences",
            "DROP TABLE IF EXISTS timer_permits",
            "DROP TABLE IF EXISTS duetime_schema_history",
            "DROP TABLE IF EXISTS orders");

    private final String url;
    private final boolean inPlace;
    private final @Nullable String afterMigration;
    private final FreshDatabases beside;
    private boolean given;

    /**
     * Uses a database.
     *
     * @param inPlace whether to use it itself
     * @param afterMigration the path of a script to run on the first database once it has its tables; null for none
     */
    GivenDatabase(String url, boolean inPlace, @Nullable String afterMigration) {
        this.url = url;
        this.inPlace = inPlace;
        this.afterMigration = afterMigration;
        beside = Database.of(url).beside(url);
    }

    /** Uses the database that the environment names; skips the test class if it names none. */
    public static GivenDatabase ofEnvironment() {
        String url = System.getenv(URL);
        return url == null
                ? Assumptions.abort("no other database is tested: name one by " + URL)
                : new GivenDatabase(url, Boolean.parseBoolean(System.getenv(IN_PLACE)), System.getenv(AFTER_MIGRATION));
    }

    @Override
    public String create() {
        if (!inPlace) {
            return beside.create();
        }
        if (given) {
            return Assumptions.abort("this test needs a database of its own, which " + IN_PLACE + " forbids");
        }
        given = true;
        drop();
        return url;
    }

    @Override
    public void migrated(DataSource migrated) {
        if (afterMigration != null) {
            statements(afterMigration).forEach(statement -> JdbcPart.execute(migrated, statement));
        }
    }

    private static List<String> statements(String script) {
        try {
            // Comments go first: a semicolon in one ends no statement.
            String text = Files.readString(Path.of(script)).replaceAll("(?m)^\\s*--.*$", "");
            return List.of(text.split(";\\s*(\n|$)")).stream()
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether a script changes the tables, such as one that distributes them over several servers. */
    public static boolean isChanged() {
        return System.getenv(AFTER_MIGRATION) != null;
    }

    @Override
    public void close() {
        if (inPlace) {
            drop();
        } else {
            beside.close();
        }
    }

    private void drop() {
        try (var pool = FreshDatabases.pool(url)) {
            DROPS.forEach(statement -> JdbcPart.execute(pool, statement));
        }
    }
}
