package dev.duetime.jdbc.internal.schema;

import dev.duetime.jdbc.internal.sql.NamedSql;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.sql.TableNames;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The command that prints the SQL of the tables: {@code java -jar timer-jdbc.jar print postgres}. It needs no other
 * jar, and no database. It ends with 0, or with 2 if it was called in a wrong way.
 */
public final class PrintCommand {
    private static final int WRONG_CALL = 2;
    private static final String CITUS = "citus";

    /** The databases, and the products in messages. */
    private static final Map<String, String> PRODUCTS =
            Map.of("postgres", "PostgreSQL", "mariadb", "MariaDB", "mysql", "MySQL", "h2", "H2", "sqlite", "SQLite");

    private static final String USAGE = """
            Usage: java -jar timer-jdbc.jar print <database> [--schema NAME] [--table-prefix PREFIX] [--after VERSION]

            Prints the SQL that creates the tables of Duetime, to be run by any tool.

              <database>        postgres, mariadb, mysql, h2, sqlite, or citus: the script that
                                distributes the tables of postgres over several servers
              --schema          the schema of the tables, which must exist; the current one by default
              --table-prefix    what the names of the tables and indexes begin with; empty by default
              --after           prints only what later versions than this one add; 0 by default

            Exit code: 0, or 2 if the call is wrong.
            """;

    private PrintCommand() {}

    /** Prints to the standard output, and ends the process if the call is wrong. */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        int code = run(args, out, System.err);
        if (code != 0) {
            System.exit(code);
        }
    }

    /** Returns the exit code. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        Deque<String> left = new ArrayDeque<>(List.of(args));
        String command = left.poll();
        if (command == null || List.of("help", "--help", "-h").contains(command)) {
            (command == null ? err : out).print(USAGE);
            return command == null ? WRONG_CALL : 0;
        }
        try {
            if (!command.equals("print")) {
                throw new IllegalArgumentException("command must be print but was " + command);
            }
            out.print(sql(left));
            return 0;
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println();
            err.print(USAGE);
            return WRONG_CALL;
        }
    }

    private static String sql(Deque<String> left) {
        String asked = left.poll();
        String database = CITUS.equals(asked) ? "postgres" : asked;
        String product = database == null ? null : PRODUCTS.get(database);
        if (database == null || product == null) {
            throw new IllegalArgumentException(
                    "database must be postgres, mariadb, mysql, h2, sqlite or citus but was " + asked);
        }
        TableNames names = TableNames.AS_WRITTEN;
        int after = 0;
        while (!left.isEmpty()) {
            String option = left.remove();
            String value = left.poll();
            if (value == null) {
                throw new IllegalArgumentException(option + " must have a value but has none");
            }
            switch (option) {
                case "--schema" -> names = names.in(TableNames.checkedSchema(value));
                case "--table-prefix" -> names = new TableNames(names.schema(), TableNames.checkedPrefix(value));
                case "--after" -> after = version(value);
                default -> throw new IllegalArgumentException("option " + option + " is unknown");
            }
        }
        names.checkFor(database, product);
        NamedSql named = new NamedSql(database, names);
        return named.use() + (CITUS.equals(asked) ? MigrationFiles.citus(named) : migrations(database, names, after));
    }

    private static int version(String value) {
        int latest = MigrationFiles.NAMES.size();
        if (!value.matches("\\d{1,4}") || Integer.parseInt(value) > latest) {
            throw new IllegalArgumentException("--after must be between 0 and " + latest + " but was " + value);
        }
        return Integer.parseInt(value);
    }

    private static String migrations(String database, TableNames names, int after) {
        StringBuilder sql = new StringBuilder();
        for (String name : MigrationFiles.NAMES.subList(after, MigrationFiles.NAMES.size())) {
            sql.append("\n-- ").append(name).append("\n\n").append(MigrationFiles.read(database, name, names));
        }
        return sql.toString();
    }

    /** Returns the call that prints what later versions add, with the names of a store. */
    static String call(SqlFiles sql, int after) {
        @Nullable String schema = sql.names().schema();
        String prefix = sql.names().prefix();
        return "java -jar timer-jdbc.jar print " + sql.dialect()
                + (schema == null ? "" : " --schema " + schema)
                + (prefix.isEmpty() ? "" : " --table-prefix " + prefix)
                + (after == 0 ? "" : " --after " + after);
    }
}
