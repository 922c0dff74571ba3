package dev.duetime.jdbc.internal.sql;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that every name of ours in a statement or a migration gets the schema and the prefix. */
class NamedSqlTest {
    private static final TableNames NAMES = new TableNames("My-Timers", "Acme_");

    private static final Pattern NAME = Pattern.compile("(?<before>[\"`]?\\w*?)(?<name>(timer|duetime)_(?!id\\b)\\w+)");

    /** Variables of a session, which belong to no table, and the name of a prepared statement. */
    private static final Set<String> NO_OBJECTS =
            Set.of("duetime_lock_wait", "duetime_lock_wait_of_call", "duetime_change");

    /** The folders of statements of each database. */
    private static final Map<String, List<String>> FOLDERS = Map.of(
            "postgres", List.of("common", "postgres", "citus"),
            "mariadb", List.of("common", "mariadb"),
            "mysql", List.of("common", "mariadb", "mysql"),
            "h2", List.of("common", "h2"),
            "sqlite", List.of("common", "sqlite"));

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "mariadb", "mysql", "h2", "sqlite"})
    void everyTableOfAStatementGetsTheSchemaAndThePrefix(String database) {
        NamedSql named = new NamedSql(database, NAMES);
        Set<String> tables = tables(database);
        String quote = database.equals("mariadb") || database.equals("mysql") ? "`" : "\"";

        for (String folder : requireNonNull(FOLDERS.get(database))) {
            files("sql/" + folder).forEach((name, text) -> {
                String bare = withoutComments(text);
                String rewritten = named.statement(bare);
                assertThat(count(rewritten, "timer_(?!id\\b)|duetime_(?!lock_wait|change)"))
                        .as("%s/%s: every name has the prefix", folder, name)
                        .isEqualTo(count(rewritten, "Acme_"));
                for (String each : tables) {
                    String whole = "\\b" + each + "\\b(?!')";
                    String qualified = "%1$sMy-Timers%1$s\\.%1$s%3$sAcme_%2$s\\b"
                            .formatted(quote, each, database.equals("h2") ? "?" : "");
                    assertThat(count(rewritten, qualified))
                            .as("%s/%s: %s has the schema", folder, name, each)
                            .isEqualTo(count(bare, whole));
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "mariadb", "mysql", "h2", "sqlite"})
    void everyNameOfAMigrationGetsThePrefixAndNoSchema(String database) {
        NamedSql named = new NamedSql(database, NAMES);

        files("migrations/" + database).forEach((name, text) -> {
            String rewritten = named.migration(text);
            assertThat(rewritten).as(name).doesNotContain("My-Timers");
            assertThat(count(rewritten, "timer_(?!id\\b)"))
                    .as(name)
                    .isEqualTo(count(rewritten, "Acme_"))
                    .isPositive();
        });
    }

    /** Else a name would be taken for a table that is none, or be too long with a prefix. */
    @ParameterizedTest
    @ValueSource(strings = {"postgres", "mariadb", "mysql", "h2", "sqlite"})
    void everyNameThatBeginsLikeOursIsATableOrAnIndex(String database) {
        Set<String> created = new TreeSet<>(tables(database));
        files("migrations/" + database)
                .values()
                .forEach(text -> Pattern.compile("INDEX (?:IF NOT EXISTS )?(timer_\\w+)")
                        .matcher(text)
                        .results()
                        .forEach(found -> created.add(found.group(1))));
        created.add("duetime_hints");
        created.addAll(NO_OBJECTS);

        assertThat(created).allSatisfy(name -> assertThat(name.length()).isLessThanOrEqualTo(TableNames.LONGEST_NAME));
        requireNonNull(FOLDERS.get(database)).stream()
                .filter(folder -> !folder.equals("mariadb") || database.equals("mariadb"))
                .forEach(folder -> files("sql/" + folder)
                        .forEach((name, text) -> assertThat(NAME.matcher(withoutComments(text))
                                        .results()
                                        .map(found -> found.group(2)))
                                .as("%s/%s", folder, name)
                                .isSubsetOf(created)));
    }

    /** The names are found as they are written. In capitals one would stay, and name the table of another prefix. */
    @ParameterizedTest
    @ValueSource(strings = {"postgres", "mariadb", "mysql", "h2", "sqlite"})
    void everyNameOfOursIsInLowerCase(String database) {
        Pattern capitals = Pattern.compile("(?i)\\b(timer|duetime)_\\w+");
        requireNonNull(FOLDERS.get(database))
                .forEach(folder -> files("sql/" + folder)
                        .forEach((name, text) -> assertThat(capitals.matcher(withoutComments(text))
                                        .results()
                                        .map(found -> found.group()))
                                .as("%s/%s", folder, name)
                                .allMatch(each -> each.equals(each.toLowerCase(Locale.ROOT)))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            postgres | SELECT timer_id FROM timer_shards   | SELECT timer_id FROM "My-Timers"."Acme_timer_shards"
            mariadb  | FROM timer_hints FORCE INDEX (timer_hints_x) | FROM `My-Timers`.`Acme_timer_hints` FORCE INDEX (`Acme_timer_hints_x`)
            h2       | FROM timer_hints WHERE timer_hints.queue = :timerId | FROM "My-Timers".Acme_timer_hints WHERE "My-Timers".Acme_timer_hints.queue = :timerId
            h2       | DELETE FROM "duetime_schema_history" | DELETE FROM "My-Timers"."Acme_duetime_schema_history"
            postgres | LISTEN duetime_hints | LISTEN "Acme_duetime_hints"
            postgres | pg_notify('duetime_hints', current_schema()) | pg_notify('Acme_duetime_hints', 'My-Timers')
            mysql    | SET @duetime_lock_wait = 1 | SET @duetime_lock_wait = 1
            """)
    void aStatementIsRewritten(String database, String written, String expected) {
        assertThat(new NamedSql(database, NAMES).statement(written)).isEqualTo(expected);
    }

    @Test
    void aStringInAMigrationGetsThePrefixWithoutQuotes() {
        assertThat(new NamedSql("mysql", NAMES).migration("'ALTER TABLE timer_pauses' -- timer_pauses"))
                .isEqualTo("'ALTER TABLE Acme_timer_pauses' -- Acme_timer_pauses");
    }

    @Test
    void withoutSchemaAndPrefixNothingChanges() {
        files("sql/postgres")
                .values()
                .forEach(text -> assertThat(new NamedSql("postgres", TableNames.AS_WRITTEN).statement(text))
                        .isSameAs(text));
    }

    @Test
    void theStatementsOfAStoreAreRewrittenWhenTheyAreRead() {
        SqlFiles sql = new SqlFiles("postgres").on(NAMES);

        assertThat(sql.text("find")).contains("FROM \"My-Timers\".\"Acme_timer_schedules\"");
        assertThat(sql.text("find")).isSameAs(sql.text("find"));
        assertThat(sql.text("query", Set.of("queue"))).contains("FROM \"My-Timers\".\"Acme_timer_schedules\"");
        assertThat(sql.driver("due").text()).contains("FROM \"My-Timers\".\"Acme_timer_schedules\"");
    }

    private static long count(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).results().count();
    }

    private static String withoutComments(String text) {
        return text.replaceAll("(?m)^\\s*--.*$", "");
    }

    private static Set<String> tables(String database) {
        Set<String> tables = new TreeSet<>();
        files("migrations/" + database).values().forEach(text -> {
            Matcher created = Pattern.compile("CREATE (?:OR REPLACE )?(?:TABLE|VIEW) (?:IF NOT EXISTS )?(\\w+)")
                    .matcher(text);
            created.results().forEach(found -> tables.add(found.group(1)));
        });
        tables.add(TableNames.HISTORY);
        assertThat(tables).contains("timer_schedules", "timer_hints");
        return tables;
    }

    private static Map<String, String> files(String folder) {
        try (Stream<Path> files =
                Files.list(Path.of(JdbcScheduleStore.class.getResource(folder).toURI()))) {
            return files.filter(file -> file.toString().endsWith(".sql"))
                    .collect(Collectors.toMap(file -> String.valueOf(file.getFileName()), NamedSqlTest::read));
        } catch (IOException | URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
