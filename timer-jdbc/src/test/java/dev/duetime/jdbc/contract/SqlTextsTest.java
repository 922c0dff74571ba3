package dev.duetime.jdbc.contract;

import static dev.duetime.jdbc.contract.SqlSources.exists;
import static dev.duetime.jdbc.contract.SqlSources.files;
import static dev.duetime.jdbc.contract.SqlSources.nameOf;
import static dev.duetime.jdbc.contract.SqlSources.path;
import static dev.duetime.jdbc.contract.SqlSources.read;
import static dev.duetime.jdbc.contract.SqlSources.statement;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.jdbc.internal.row.TimerColumn;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules for statements and migrations that hold for every database. */
class SqlTextsTest {
    private static final List<String> FOLDERS =
            List.of("common", "postgres", "citus", "mariadb", "mysql", "h2", "sqlite");

    private static final List<String> LISTS = List.of(
            "query",
            "query_few",
            "query_versions",
            "upcoming",
            "upcoming_after",
            "upcoming_bounded",
            "recurring",
            "summaries");

    private static final List<String> MIGRATED = List.of("postgres", "mariadb", "mysql", "h2", "sqlite");

    /** What the upsert of PostgreSQL decides by; others decide in Java. */
    private static final String POSTGRES_ONLY = "rearm";

    @Test
    void everyMigrationExistsForEveryDatabase() {
        List<String> names =
                files("migrations/postgres").stream().map(SqlSources::nameOf).toList();

        assertThat(names).contains("V1__timers");
        assertThat(MIGRATED)
                .allSatisfy(database -> assertThat(files("migrations/" + database))
                        .as(database)
                        .extracting(SqlSources::nameOf)
                        .isEqualTo(names));
    }

    @Test
    void everyMigrationAddsTheSameColumnsToEveryDatabase() {
        for (Path migration : files("migrations/postgres")) {
            Set<String> columns = new TreeSet<>(columns(migration));
            columns.remove(POSTGRES_ONLY);
            assertThat(MIGRATED)
                    .allSatisfy(database -> assertThat(
                                    columns(path("migrations/" + database + "/" + migration.getFileName())))
                            .as("%s on %s", nameOf(migration), database)
                            .containsAll(columns));
        }
    }

    private static Set<String> columns(Path migration) {
        return Pattern.compile("(?im)^ {4}(\\w+) +(?:\\w*text|\\w*blob|bytea|bigint|int\\w*|var\\w+|boolean|binary)\\b"
                        + "|ADD COLUMN (?:IF NOT EXISTS )?(\\w+)")
                .matcher(read(migration))
                .results()
                .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                .collect(Collectors.toSet());
    }

    /** A counter at its largest number would refuse every later write of its row. */
    @Test
    void everyCounterBeginsAgainBehindItsLargestNumber() {
        assertThat(FOLDERS)
                .flatMap(folder -> files("sql/" + folder))
                .allSatisfy(file -> assertThat(statement(read(file)))
                        .as("%s", file)
                        .doesNotContainPattern("=\\s*(\\w+\\.)?\\w+ \\+ 1\\b"));
    }

    /** MySQL locks rows first. What writes them afterwards is the same as elsewhere. */
    @Test
    void writesOfMySqlAfterALockAreThoseOfEveryDatabase() {
        for (String name : List.of("cancel", "insert_timer", "replace_timer")) {
            assertThat(statement(read("sql/mysql/" + name + "_now.sql")))
                    .as(name)
                    .isEqualTo(statement(read("sql/common/" + name + ".sql")));
        }
    }

    /** Rows are read by the positions of their columns. */
    @Test
    void everyReadOfTimersReadsTheColumnsInOrder() {
        String inOrder =
                TimerColumn.read().stream().map(TimerColumn::columnName).collect(Collectors.joining(", "));
        Map<String, String> reads = new TreeMap<>();
        for (String folder : FOLDERS) {
            files("sql/" + folder).stream()
                    .filter(file ->
                            read(file).matches("(?s).*SELECT( STRAIGHT_JOIN)?\\s+tenant_id, timer_id, scope, queue.*"))
                    .filter(file -> !statement(read(file)).startsWith("INSERT"))
                    .forEach(file -> reads.put(folder + "/" + nameOf(file), statement(read(file))));
        }

        assertThat(reads).hasSizeGreaterThan(15).containsKeys("postgres/due", "mariadb/due", "common/find", "h2/query");
        assertThat(reads)
                .allSatisfy((name, statement) ->
                        assertThat(withWholeContent(statement)).contains(inOrder + " FROM"));
    }

    /**
     * A read of due timers leaves large contents out, and returns their size in the last column. A list has NULL in
     * their place.
     */
    private static String withWholeContent(String statement) {
        return statement
                .replaceAll(
                        "-- if whole payload, headers, trace, -- end"
                                + "( -- if listed NULL AS payload, NULL AS headers, NULL AS trace, -- end)?",
                        "payload, headers, trace,")
                .replaceAll("NULL AS (payload|headers|trace)", "$1")
                .replaceAll(
                        "CASE WHEN \\w+\\((?:CAST\\()?(\\w+)(?: AS BLOB\\))?\\) <= <inline> THEN \\1 END AS \\1", "$1")
                .replaceFirst(", \\w+\\(payload\\) \\+ [^<>]*? AS content_bytes(, ctid AS place)?", "");
    }

    @Test
    void noStatementOfAListReadsPayloadsOrHeaders() {
        for (String folder : FOLDERS) {
            for (String name : LISTS) {
                String file = "sql/" + folder + "/" + name + ".sql";
                if (exists(file)) {
                    String listed = read(file).replaceAll("(?s)-- if whole\\s.*?-- end", "");
                    assertThat(statement(listed).replaceAll("NULL AS \\w+", ""))
                            .as(file)
                            .doesNotContain("payload", "headers", "trace");
                }
            }
        }
    }

    /** The database plans such a statement once for all values of the parameter, and then reads the whole table. */
    @Test
    void noStatementHasAConditionThatAParameterSwitchesOff() {
        for (String folder : FOLDERS) {
            assertThat(files("sql/" + folder))
                    .allSatisfy(file -> assertThat(statement(read(file)))
                            .doesNotContainPattern(":\\w+( AS [\\w()]+\\))? IS NULL|:\\w+ = 9223372036854775807"));
        }
    }
}
