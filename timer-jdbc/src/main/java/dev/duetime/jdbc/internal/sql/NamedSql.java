package dev.duetime.jdbc.internal.sql;

import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rewriter of the SQL of one database that replaces the names of our tables, indexes and notifications. A text is
 * rewritten once, when its file is read. Immutable and thread-safe.
 *
 * <p>A name of ours begins with {@code timer_} or {@code duetime_}. No column does, but for {@code timer_id}, and no
 * alias. In a statement, a table gets its schema and its prefix, and an index its prefix alone. A migration runs in the
 * schema, so that its tables get the prefix alone, as names in comments and strings do everywhere.
 */
public final class NamedSql {
    private static final String OURS = "timer_(?!id\\b)\\w+|" + TableNames.HISTORY + "|duetime_hints";

    private static final Pattern NAME = Pattern.compile("\\b(?:" + OURS + ")\\b");

    /** A comment, a string, the call that names the schema, or a name, which may be quoted or be that of an index. */
    private static final Pattern TOKEN = Pattern.compile(
            "--[^\\n]*|/\\*.*?\\*/|'[^']*+(?:''[^']*+)*+'|\\bcurrent_schema\\(\\)"
                    + "|(?<index>\\bINDEX \\()?(?<quote>\"?)\\b(?<name>" + OURS + ")\\b\\k<quote>",
            Pattern.DOTALL);

    private static final String CHANNEL = "duetime_hints";
    private static final Set<String> BACKTICKS = Set.of("mariadb", "mysql");

    private final String database;
    private final TableNames names;

    /**
     * Creates the statement.
     *
     * @param database the name of the folders of its statements
     */
    public NamedSql(String database, TableNames names) {
        this.database = database;
        this.names = names;
    }

    /** Returns the text of a statement with its names. */
    public String statement(String text) {
        return rewritten(text, names);
    }

    /** Returns the text of a migration with its names. The schema must be the current one when it runs. */
    public String migration(String text) {
        return rewritten(text, names.in(null));
    }

    /** Returns a script whose strings are names of tables, with these names. Its schema must be the current one. */
    public String namesInStrings(String text) {
        String quoted = Pattern.compile("'(" + OURS + ")'")
                .matcher(text)
                .replaceAll(found -> "'" + quoted(names.prefix() + found.group(1)) + "'");
        return migration(names.prefix().isEmpty() ? text : quoted);
    }

    /** Returns the statement that makes the schema the current one, and a line feed; empty if no schema is named. */
    public String use() {
        String schema = names.schema();
        if (schema == null) {
            return "";
        }
        String quoted = quoted(schema);
        return switch (database) {
            case "postgres" -> "SET search_path TO " + quoted + ";\n";
            case "h2" -> "SET SCHEMA " + quoted + ";\n";
            default -> "USE " + quoted + ";\n";
        };
    }

    private String rewritten(String text, TableNames used) {
        if (used.equals(TableNames.AS_WRITTEN)) {
            return text;
        }
        Matcher found = TOKEN.matcher(text);
        StringBuilder rewritten = new StringBuilder();
        while (found.find()) {
            found.appendReplacement(rewritten, Matcher.quoteReplacement(rewritten(found, used)));
        }
        return found.appendTail(rewritten).toString();
    }

    private String rewritten(Matcher found, TableNames used) {
        String name = found.group("name");
        if (name == null) {
            return found.group().equals("current_schema()") ? currentSchema(used) : inText(found.group(), used);
        }
        String ours =
                found.group("quote").isEmpty() ? tableOrIndex(used.prefix() + name) : quoted(used.prefix() + name);
        if (found.group("index") != null) {
            return found.group("index") + ours;
        }
        return used.schema() == null || name.equals(CHANNEL) ? ours : quoted(used.schema()) + "." + ours;
    }

    private static String currentSchema(TableNames used) {
        return used.schema() == null ? "current_schema()" : "'" + used.schema() + "'";
    }

    private static String inText(String text, TableNames used) {
        return NAME.matcher(text).replaceAll((MatchResult found) -> used.prefix() + found.group());
    }

    /** H2 stores names in upper case unless it is set otherwise or they are quoted, so that ours are not. */
    private String tableOrIndex(String name) {
        return database.equals("h2") ? name : quoted(name);
    }

    private String quoted(String name) {
        String quote = BACKTICKS.contains(database) ? "`" : "\"";
        return quote + name + quote;
    }
}
