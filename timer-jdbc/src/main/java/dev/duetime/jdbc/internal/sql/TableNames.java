package dev.duetime.jdbc.internal.sql;

import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The schema of our tables, and the prefix of their names and of those of their indexes. Both consist of letters,
 * digits and underscores, and a schema also of hyphens, so that they may stand in a text of SQL. Immutable.
 *
 * @param schema the schema; null for the current one of each connection
 * @param prefix the prefix; empty for none
 */
public record TableNames(@Nullable String schema, String prefix) {
    /** The names in the files of statements and migrations. */
    public static final TableNames AS_WRITTEN = new TableNames(null, "");

    /** The table in which Flyway notes the migrations. */
    public static final String HISTORY = "duetime_schema_history";

    /** No name of ours, and no name that Flyway makes for its history, is longer. */
    public static final int LONGEST_NAME = 32;

    private static final Pattern SCHEMA = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** How many characters the name of a table or schema may have. */
    private static final Map<String, Integer> LONGEST_OF_DATABASE =
            Map.of("postgres", 63, "mariadb", 64, "mysql", 64, "h2", 256, "sqlite", 256);

    /**
     * Returns a schema whose name may be used.
     *
     * @throws IllegalArgumentException if it may not
     */
    public static String checkedSchema(@Nullable String schema) {
        return checked("schema", schema, SCHEMA, "letters of ASCII, digits, underscores and hyphens");
    }

    /**
     * Returns a prefix that may be used, or an empty one.
     *
     * @throws IllegalArgumentException if it may not be used
     */
    public static String checkedPrefix(@Nullable String prefix) {
        return "".equals(prefix)
                ? ""
                : checked("tablePrefix", prefix, PREFIX, "letters of ASCII, digits and underscores");
    }

    private static String checked(String setting, @Nullable String name, Pattern form, String characters) {
        if (name == null || !form.matcher(name).matches()) {
            throw new IllegalArgumentException("%s must consist of %s, and begin with no digit or hyphen, but was %s"
                    .formatted(setting, characters, name));
        }
        return name;
    }

    /**
     * Refuses names that are too long for a database, and a schema where there are none.
     *
     * @param database the name of the folders of its statements
     * @param product the name for people
     * @throws IllegalArgumentException if a name is refused
     */
    public void checkFor(String database, String product) {
        int most = LONGEST_OF_DATABASE.getOrDefault(database, 63);
        if (schema != null && database.equals("sqlite")) {
            throw new IllegalArgumentException(
                    "schema must not be set on SQLite, which has none, but was %s: set tablePrefix".formatted(schema));
        }
        if (schema != null && schema.length() > most) {
            throw new IllegalArgumentException("schema must have at most %d characters on %s but has %d: %s"
                    .formatted(most, product, schema.length(), schema));
        }
        int longest = most - LONGEST_NAME;
        if (prefix.length() > longest) {
            throw new IllegalArgumentException(
                    "tablePrefix must have at most %d characters on %s, where a name has at most %d, but has %d: %s"
                            .formatted(longest, product, most, prefix.length(), prefix));
        }
    }

    /** Returns the same names in another schema. */
    public TableNames in(@Nullable String other) {
        return new TableNames(other, prefix);
    }

    /** Returns the name of the table in which Flyway notes the migrations. */
    public String history() {
        return prefix + HISTORY;
    }
}
