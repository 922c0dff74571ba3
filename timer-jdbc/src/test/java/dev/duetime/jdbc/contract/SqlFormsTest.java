package dev.duetime.jdbc.contract;

import static dev.duetime.jdbc.contract.SqlSources.exists;
import static dev.duetime.jdbc.contract.SqlSources.files;
import static dev.duetime.jdbc.contract.SqlSources.nameOf;
import static dev.duetime.jdbc.contract.SqlSources.read;
import static dev.duetime.jdbc.contract.SqlSources.statement;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule that our PostgreSQL statements also run when PostgreSQL is distributed. docs/scale-out.md says more. */
public class SqlFormsTest {
    /** Common statements of the stores that decide in Java, after they locked the rows of many tenants. */
    private static final Set<String> NEVER_ON_POSTGRES = Set.of("lock_timers", "insert_timer", "replace_timer");

    /** Statements that run on a single server only. */
    private static final Set<String> NEVER_DISTRIBUTED = Set.of(
            "expire_deleted",
            "expire_kept",
            "listen",
            "unlisten",
            "notify",
            "put_occurrences",
            "schedule_new",
            "schema",
            "settle_deleted_in_place",
            "settle_ended_in_place",
            "renew_unheld",
            "snapshot",
            "purgeable",
            "view_queues");

    /** Statements that only several servers need. */
    private static final Set<String> NEVER_ON_ONE_SERVER = Set.of("propagate_settings");

    @Test
    void noStatementHasAFormThatCitusRefuses() {
        Map<String, String> statements = new TreeMap<>();
        for (Path file : files("sql/common")) {
            if (!NEVER_ON_POSTGRES.contains(nameOf(file))
                    && !exists("sql/postgres/" + file.getFileName())
                    && !exists("sql/citus/" + file.getFileName())) {
                statements.put("common/" + nameOf(file), read(file));
            }
        }
        files("sql/postgres").stream()
                .filter(file -> !NEVER_DISTRIBUTED.contains(nameOf(file)) && !exists("sql/citus/" + file.getFileName()))
                .forEach(file -> statements.put("postgres/" + nameOf(file), read(file)));
        files("sql/citus").forEach(file -> statements.put("citus/" + nameOf(file), read(file)));

        assertThat(statements).hasSizeGreaterThan(25).containsKeys("common/pending", "citus/due", "citus/purge");
        assertThat(refused(statements)).isEmpty();
    }

    /** A statement without the mark would lose the condition. */
    @Test
    void everyStatementWithATenantHasItAsARangeToo() {
        List.of("sql/common", "sql/postgres").stream()
                .flatMap(folder -> files(folder).stream())
                .map(file -> read(file))
                .filter(text -> text.contains("-- if tenantId"))
                .forEach(text -> assertThat(text)
                        .contains("-- if tenantRange", text.contains("-- if after\n") ? "-- if tenantEnd" : "SELECT"));
    }

    @Test
    void noMigrationHasAFormThatCitusRefuses() {
        Map<String, String> migrations = new TreeMap<>();
        files("migrations/postgres").forEach(file -> migrations.put(nameOf(file), read(file)));

        assertThat(migrations).isNotEmpty();
        assertThat(refused(migrations)).isEmpty();
    }

    @Test
    void everyTableIsDistributed() {
        String placed = read(Path.of("../docs/citus.sql"));

        for (Path file : files("migrations/postgres")) {
            assertThat(Pattern.compile("CREATE TABLE (?:IF NOT EXISTS )?(\\w+)")
                            .matcher(read(file))
                            .results()
                            .map(created -> "'" + created.group(1) + "'"))
                    .allSatisfy(table -> assertThat(placed).contains(table));
        }
    }

    @Test
    void bothUpsertsMakeTheSameDecision() {
        String arrays = read("sql/postgres/schedule.sql");
        String rows = read("sql/postgres/schedule_rows.sql");

        assertThat(decision(rows)).isEqualTo(decision(arrays)).contains("RETURNING");
        assertThat(parameters(statement(rows))).isEqualTo(parameters(statement(arrays)));
    }

    @Test
    void anInsertOfNewTimersWritesWhatTheUpsertWrites() {
        String upsert = statement(read("sql/postgres/schedule.sql"));

        assertThat(statement(read("sql/postgres/schedule_new.sql")))
                .isEqualTo(upsert.substring(0, upsert.indexOf("ON CONFLICT"))
                        .replace(" AS standing", "")
                        .strip());
    }

    private static String decision(String upsert) {
        return upsert.substring(upsert.indexOf("ON CONFLICT"));
    }

    @Test
    void everySettleForCitusDiffersByTheTenantsAndPlainArraysAlone() {
        for (Path file : files("sql/citus")) {
            if (nameOf(file).startsWith("settle_")) {
                String pruned = statement(read(file));
                String tenants = "AND standing.tenant_id = ANY (CAST(:tenants AS text[]))";

                assertThat(pruned).contains(tenants);
                assertThat(pruned.replace(tenants + " ", ""))
                        .isEqualTo(withoutLockTimeout(statement(read("sql/postgres/" + file.getFileName())))
                                .replaceAll("\\(SELECT (CAST\\(:\\w+ AS \\w+\\[\\]\\))\\)", "$1"));
            }
        }
    }

    private static String withoutLockTimeout(String settle) {
        return settle.replaceFirst(" FROM set_config\\(.*?, true\\)", "");
    }

    @Test
    void everyStatementForCitusTakesTheSameParameters() {
        for (Path file : files("sql/citus")) {
            if (NEVER_ON_ONE_SERVER.contains(nameOf(file))) {
                continue;
            }
            String folder = exists("sql/postgres/" + file.getFileName()) ? "postgres" : "common";
            String onOneServer = statement(read("sql/" + folder + "/" + file.getFileName()));

            assertThat(parameters(statement(read(file)))).as(nameOf(file)).isEqualTo(parameters(onOneServer));
        }
    }

    /**
     * Returns the parameters of a statement. The same shards or slots may be one array, or one parameter each, and each
     * may have its share.
     */
    private static Set<String> parameters(String statement) {
        return Pattern.compile("(?<!:):(?!tenants\\b|lockTimeout\\b)\\w+|<limit>|<inline>")
                .matcher(statement)
                .results()
                .map(MatchResult::group)
                .map(parameter -> parameter.replaceFirst("^:(shard|slot|from|before)s$", ":$1"))
                .collect(Collectors.toSet());
    }

    /** Without an example nothing would show that the pattern of a form matches anything. */
    @Test
    void everyForbiddenFormIsFoundInAnExample() throws ReflectiveOperationException {
        CsvSource bad = SqlFormsTest.class
                .getDeclaredMethod("anExampleOfAForbiddenFormIsRefused", SqlForms.class, String.class)
                .getAnnotation(CsvSource.class);

        assertThat(Stream.of(bad.textBlock().split("\n"))
                        .map(line -> line.replaceAll("\\|.*", "").strip()))
                .contains(Stream.of(SqlForms.values()).map(SqlForms::name).toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    CLOCK_IN_WRITE           | UPDATE timer_schedules SET settled_at = clock_timestamp() WHERE tenant_id = :t
                    CLOCK_IN_WRITE           | INSERT INTO t (tenant_id, at) VALUES (:t, CURRENT_TIMESTAMP)
                    FUNCTION_IN_DO_UPDATE    | INSERT INTO t VALUES (:t) ON CONFLICT (tenant_id) DO UPDATE SET x = random()
                    FUNCTION_IN_DO_UPDATE    | INSERT INTO t VALUES (:t) ON CONFLICT (tenant_id) DO UPDATE SET x = upper(excluded.x)
                    BIND_IN_DO_UPDATE        | INSERT INTO t SELECT a FROM u ON CONFLICT (tenant_id) DO UPDATE SET x = :x
                    BIND_IN_DO_UPDATE        | INSERT INTO t SELECT a FROM u ON CONFLICT (a) DO UPDATE SET x = 1 WHERE t.y < :y
                    SUBQUERY_IN_DO_UPDATE    | INSERT INTO t VALUES (:t) ON CONFLICT (a) DO UPDATE SET x = (SELECT max(x) FROM t)
                    SIMPLE_CASE_IN_DO_UPDATE | INSERT INTO t VALUES (:t) ON CONFLICT (a) DO UPDATE SET x = CASE t.s WHEN 'A' THEN 1 END
                    LATERAL                  | SELECT d.* FROM unnest(:s) AS s CROSS JOIN LATERAL (SELECT * FROM t WHERE a = s LIMIT 5) d
                    SKIP_LOCKED              | SELECT * FROM t WHERE tenant_id = :t FOR UPDATE SKIP LOCKED
                    LOCK_WITHOUT_TENANT      | SELECT * FROM t WHERE (tenant_id, timer_id) IN ((:a, :b)) FOR UPDATE
                    LOCK_WITHOUT_TENANT      | SELECT * FROM t WHERE shard = :s FOR NO KEY UPDATE
                    CTID                     | DELETE FROM t WHERE ctid = ANY (ARRAY(SELECT ctid FROM t LIMIT 5))
                    TABLE_LOCK               | LOCK TABLE timer_shards
                    TABLE_LOCK               | SELECT pg_advisory_xact_lock(1)
                    MODIFYING_CTE            | WITH gone AS (DELETE FROM t WHERE a = 1 RETURNING *) SELECT * FROM gone
                    RECURSIVE                | WITH RECURSIVE r AS (SELECT 1) SELECT * FROM r
                    GROUPING                 | SELECT queue, count(*) FROM t GROUP BY ROLLUP (queue)
                    MERGE                    | MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE
                    TABLESAMPLE              | SELECT * FROM t TABLESAMPLE SYSTEM (1)
                    MOVED_ROW                | UPDATE timer_schedules SET attempt = 1, tenant_id = :t WHERE timer_id = :i
                    LISTEN                   | NOTIFY timers
                    TRIGGER                  | CREATE TRIGGER x BEFORE INSERT ON timer_schedules EXECUTE FUNCTION f()
                    UNIQUE_WITHOUT_TENANT    | CREATE UNIQUE INDEX x ON timer_schedules (timer_id)
                    UNIQUE_WITHOUT_TENANT    | CREATE TABLE t (id bigint PRIMARY KEY)
                    SEQUENCE                 | CREATE TABLE t (queue text, n serial, PRIMARY KEY (queue, n))
                    FOREIGN_KEY              | CREATE TABLE t (queue text REFERENCES q (queue))
                    """)
    void anExampleOfAForbiddenFormIsRefused(SqlForms form, String statement) {
        assertThat(SqlForms.refused("made_up", statement))
                .anyMatch(told -> told.startsWith("made_up has " + form + ": "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    -- a comment may say now(), LATERAL and SKIP LOCKED
                    SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)
                    UPDATE t SET error = 'now() is; SKIP LOCKED' WHERE tenant_id = :t
                    SELECT state FROM t WHERE tenant_id = :tenantId AND timer_id = :timerId FOR UPDATE
                    INSERT INTO t VALUES (:t) ON CONFLICT (a, b) DO UPDATE SET x = CASE WHEN t.s = 'A' THEN excluded.x END
                    CREATE TABLE t (queue text NOT NULL, node text, PRIMARY KEY (queue, node))
                    CREATE INDEX i ON timer_schedules (queue, settled_at)
                    """)
    void aSoundStatementIsNotRefused(String statement) {
        assertThat(SqlForms.refused("sound", statement)).isEmpty();
    }

    private static List<String> refused(Map<String, String> files) {
        List<String> refused = new ArrayList<>();
        files.forEach((name, text) -> refused.addAll(SqlForms.refused(name, text)));
        return refused;
    }
}
