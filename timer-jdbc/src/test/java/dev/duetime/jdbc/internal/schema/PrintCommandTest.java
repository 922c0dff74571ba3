package dev.duetime.jdbc.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the command that prints the SQL of the tables. */
class PrintCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        out.reset();
        return PrintCommand.run(args, stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String folder(Database kind) {
        return switch (kind) {
            case POSTGRESQL -> "postgres";
            case MARIADB -> "mariadb";
            case MYSQL -> "mysql";
            case H2 -> "h2";
            case SQLITE -> "sqlite";
        };
    }

    @ParameterizedTest
    @EnumSource
    void aStoreOpensOnTheTablesThatThePrintedSqlCreates(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open()) {
            String url = databases.create();
            assertThat(run("print", folder(kind), "--table-prefix", "acme_")).isZero();
            execute(url, printed());

            try (var pool = FreshDatabases.pool(url)) {
                JdbcScheduleStore opened = JdbcScheduleStore.builder(pool)
                        .tablePrefix("acme_")
                        .migrate(false)
                        .build();
                assertThat(opened.leases().open("q", OptionalInt.of(2))).isEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SQLITE")
    void thePrintedSqlCreatesTheTablesInTheSchema(Database kind) throws SQLException {
        String schema = FreshDatabases.newName() + "-S";
        boolean backticks = kind == Database.MARIADB || kind == Database.MYSQL;
        String quoted = backticks ? "`" + schema + "`" : "\"" + schema + "\"";
        try (FreshDatabases databases = kind.open()) {
            String url = databases.create();
            assertThat(run("print", folder(kind), "--schema", schema)).isZero();
            execute(url, "CREATE SCHEMA " + quoted + ";\n" + printed());

            try (var pool = FreshDatabases.pool(url)) {
                JdbcScheduleStore opened = JdbcScheduleStore.builder(pool)
                        .schema(schema)
                        .migrate(false)
                        .build();
                assertThat(opened.leases().open("q", OptionalInt.of(2))).isEqualTo(2);
                JdbcPart.execute(pool, "DROP SCHEMA " + quoted + (backticks ? "" : " CASCADE"));
            }
        }
    }

    private static void execute(String url, String script) throws SQLException {
        String bare = script.replaceAll("(?m)--.*$", "");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String each : bare.split(";\\s*\n", -1)) {
                if (!each.isBlank()) {
                    statement.execute(each);
                }
            }
        }
    }

    @Test
    void laterVersionsArePrintedAlone() {
        assertThat(run("print", "postgres", "--after", "2")).isZero();

        assertThat(printed()).contains("ADD COLUMN reason").doesNotContain("CREATE TABLE timer_hints");
    }

    @Test
    void theNamesForCitusAreQuotedInTheirStrings() {
        assertThat(run("print", "citus", "--schema", "timers", "--table-prefix", "Acme_"))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();

        assertThat(printed())
                .startsWith("SET search_path TO \"timers\";\n")
                .contains(
                        "create_distributed_table('\"Acme_timer_schedules\"', 'tenant_id', colocate_with => 'none'",
                        "colocate_with => '\"Acme_timer_shards\"'",
                        "ON \"Acme_timer_schedules\" (queue, wake_at, shard)");
    }

    @Test
    void helpPrintsTheUsage() {
        assertThat(run("--help")).isZero();
        assertThat(printed()).startsWith("Usage: java -jar timer-jdbc.jar print <database>");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            draw                                   | command must be print but was draw
            print                                  | database must be postgres, mariadb, mysql, h2, sqlite or citus but was null
            print oracle                           | database must be postgres, mariadb, mysql, h2, sqlite or citus but was oracle
            print sqlite --schema timers           | schema must not be set on SQLite, which has none, but was timers: set tablePrefix
            print postgres --schema                | --schema must have a value but has none
            print postgres --schema a.b            | schema must consist of letters of ASCII, digits, underscores and hyphens
            print postgres --table-prefix a-b      | tablePrefix must consist of letters of ASCII, digits and underscores
            print postgres --after 99              | --after must be between 0 and
            print postgres --colour red            | option --colour is unknown
            """)
    void aWrongCallSaysWhyAndPrintsNoSql(String call, String message) {
        assertThat(run(call.split(" ", -1))).isEqualTo(2);
        assertThat(printed()).isEmpty();
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith(message).contains("Usage:");
    }

    @Test
    void onlyAVersionThatExistsIsTakenForAfter() {
        int latest = MigrationFiles.NAMES.size();
        assertThat(run("print", "postgres", "--after", String.valueOf(latest))).isZero();
        assertThat(printed()).isEmpty();

        for (String value : List.of(String.valueOf(latest + 1), "-1", "x", "99999999999")) {
            err.reset();
            assertThat(run("print", "postgres", "--after", value)).isEqualTo(2);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .startsWith("--after must be between 0 and " + latest + " but was " + value);
        }
    }

    @Test
    void withoutAnyArgumentTheUsageIsAnError() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("Usage:");
    }

    /** As {@code java -jar} does: with the classes and files of this module alone. */
    @Test
    void theCommandNeedsNoOtherJar() throws Exception {
        assertThat(ended("print", "mariadb")).isZero();
        assertThat(printed()).contains("CREATE TABLE IF NOT EXISTS timer_schedules");
        assertThat(ended("print", "nothing")).isEqualTo(2);
    }

    private int ended(String... args) throws IOException, InterruptedException, ReflectiveOperationException {
        String module = PrintCommand.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                module,
                PrintCommand.class.getName()));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).start();
        out.reset();
        process.getInputStream().transferTo(out);
        process.getErrorStream().transferTo(err);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
