package dev.duetime.lab.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.database.DatabaseKind;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.run.Results.Result;
import dev.duetime.lab.benchmark.scenario.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests that run each scenario with tiny numbers, so that the benchmark keeps working. Speed does not matter here. */
class BenchmarkTest {
    private static final Map<DatabaseKind, String> SERVERS = Map.of(
            DatabaseKind.POSTGRES, "DUETIME_TEST_POSTGRES_URL",
            DatabaseKind.MARIADB, "DUETIME_TEST_MARIADB_URL",
            DatabaseKind.MYSQL, "DUETIME_TEST_MYSQL_URL");

    /**
     * If each variant takes its time, one or two of them show that it works. Kept timers are in the scenario of expired
     * timers.
     */
    private static final Map<String, List<String>> SHORT = Map.of(
            "fire", List.of("deleted"),
            "sustained", List.of("deleted"),
            "backlog", List.of("1000-pending"),
            "lateness", List.of("1000/s"),
            "nodes", List.of("2-nodes"),
            "idle", List.of("200-pending"),
            "schedule", List.of("batched", "single-8", "soon-8"));

    @TempDir
    private Path directory;

    @Tag("full")
    @ParameterizedTest
    @MethodSource
    void everyScenarioMeasuresDuetimeAndRawOnEveryDatabase(DatabaseKind kind, String scenario) throws Exception {
        Path json = directory.resolve("results.json");
        run(kind, scenario, "raw", 1, json, SHORT.getOrDefault(scenario, List.of()));

        JsonNode report = JsonMapper.shared().readTree(Files.readString(json));
        assertThat(report.get("scenario").asString()).isEqualTo(scenario);
        assertThat(report.get("database").asString()).isEqualTo(kind.label());
        assertThat(report.get("machine").get("cores").asInt()).isPositive();
        assertThat(report.get("results"))
                .extracting(row -> row.get("contestant").asString())
                .contains("duetime", "raw");
        assertThat(report.get("results")).allSatisfy(row -> {
            assertThat(row.get("value").isNumber()).isTrue();
            assertThat(row.get("min").asDouble())
                    .isLessThanOrEqualTo(row.get("value").asDouble());
            assertThat(row.get("max").asDouble())
                    .isGreaterThanOrEqualTo(row.get("value").asDouble());
            assertThat(row.has("ratioToRaw")).isTrue();
        });
        assertThat(Files.readString(directory.resolve("results.svg")))
                .startsWith("<svg ")
                .contains("duetime")
                .endsWith("</svg>\n");
    }

    static List<org.junit.jupiter.params.provider.Arguments> everyScenarioMeasuresDuetimeAndRawOnEveryDatabase() {
        List<org.junit.jupiter.params.provider.Arguments> all = new ArrayList<>();
        for (DatabaseKind kind : DatabaseKind.values()) {
            for (String scenario : Scenario.names()) {
                if (isWorthwhile(kind, scenario)) {
                    all.add(org.junit.jupiter.params.provider.Arguments.of(kind, scenario));
                }
            }
        }
        return all;
    }

    /** Each scenario runs on some database, and each database with some scenario. Several nodes need a server. */
    private static boolean isWorthwhile(DatabaseKind kind, String scenario) {
        return switch (kind) {
            case H2 -> List.of("schedule", "backlog", "slow-publisher").contains(scenario);
            case POSTGRES ->
                // Those from expired on have no raw; bloat is for servers only.
                !List.of(
                                "schedule",
                                "backlog",
                                "slow-publisher",
                                "expired",
                                "operators",
                                "prompt",
                                "fairness",
                                "bloat",
                                "history")
                        .contains(scenario);
            case SQLITE, MARIADB, MYSQL -> scenario.equals("fire");
        };
    }

    @Tag("full")
    @Test
    void bloatIsMeasuredBeforeDuringAndAfter() throws Exception {
        Path json = directory.resolve("bloat.json");
        List<Result> results = run(DatabaseKind.POSTGRES, "bloat", "db-scheduler", 1, json, List.of("xmin-1000/s"));

        assertThat(results)
                .extracting(Result::contestant, Result::metric)
                .contains(
                        tuple("duetime", "before_per_second"),
                        tuple("duetime", "during_p99_ms"),
                        tuple("duetime", "after_dead_rows"),
                        tuple("db-scheduler", "during_per_second"),
                        tuple("db-scheduler", "recovered_after_seconds"));
        assertThat(JsonMapper.shared()
                        .readTree(Files.readString(json))
                        .get("command")
                        .asString())
                .contains("bloat --database postgres", "--against db-scheduler");
    }

    @Tag("full")
    @Test
    void endedTimersAreComparedWithAnEmptyTable() throws Exception {
        List<Result> results =
                run(DatabaseKind.POSTGRES, "history", "", 60, directory.resolve("history.json"), List.of());

        assertThat(results)
                .extracting(Result::variant, Result::metric)
                .containsExactlyInAnyOrder(
                        tuple("empty", "next_due_ms"),
                        tuple("empty", "per_second"),
                        tuple("200-ended", "next_due_ms"),
                        tuple("200-ended", "per_second"));
    }

    @Tag("full")
    @Test
    void promptnessIsMeasuredForTimersAndTodosFromEachKindOfNode() throws Exception {
        Path json = directory.resolve("prompt.json");
        List<Result> results = run(DatabaseKind.POSTGRES, "prompt", "", 3, json, List.of());

        assertThat(results)
                .filteredOn(result -> result.metric().equals("delivered_percent"))
                .extracting(Result::variant, result -> result.value().min())
                .containsExactlyInAnyOrder(
                        tuple("timers-owner", 100.0),
                        tuple("timers-worker", 100.0),
                        tuple("timers-web", 100.0),
                        tuple("todos-owner", 100.0),
                        tuple("todos-worker", 100.0),
                        tuple("todos-web", 100.0));
    }

    @Tag("full")
    @Test
    void fairnessIsMeasuredForEachKindOfTenant() throws Exception {
        List<Result> results =
                run(DatabaseKind.POSTGRES, "fairness", "", 1, directory.resolve("fairness.json"), List.of());

        assertThat(results)
                .isNotEmpty()
                .allSatisfy(result -> assertThat(result.value().min()).isNotNegative());
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MARIADB", "MYSQL"})
    void theCallsOfOperatorsAreMeasuredOnEachServer(DatabaseKind kind) throws Exception {
        List<Result> results = run(kind, "operators", "", 1, directory.resolve("operators.json"), List.of());

        assertThat(results)
                .filteredOn(result -> result.metric().equals("calls"))
                .singleElement()
                .satisfies(result -> assertThat(result.value().min()).isGreaterThan(600));
    }

    @Tag("full")
    @Test
    void expiringIsComparedWithDelivering() throws Exception {
        List<Result> results = run(DatabaseKind.H2, "expired", "raw", 60, directory.resolve("expired.json"), List.of());

        assertThat(results)
                .extracting(Result::variant, Result::metric)
                .containsExactlyInAnyOrder(
                        tuple("delivered-deleted", "per_second"),
                        tuple("delivered-20ms-per-batch-deleted", "per_second"),
                        tuple("expired-each-deleted", "per_second"),
                        tuple("expired-deleted", "per_second"),
                        tuple("expired-deleted", "of_delivered"),
                        tuple("expired-deleted", "of_delivered_by_broker"),
                        tuple("delivered-kept", "per_second"),
                        tuple("delivered-20ms-per-batch-kept", "per_second"),
                        tuple("expired-each-kept", "per_second"),
                        tuple("expired-kept", "per_second"),
                        tuple("expired-kept", "of_delivered"),
                        tuple("expired-kept", "of_delivered_by_broker"));
        assertThat(results)
                .allSatisfy(result -> assertThat(result.value().min()).isPositive());
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = "H2")
    void thePeersDeliverEverything(DatabaseKind kind) throws Exception {
        List<Result> results =
                run(kind, "fire", "db-scheduler,quartz,jobrunr", 60, directory.resolve("peers.json"), List.of());

        List<String> expected = Stream.of(ContestantType.values())
                .filter(type -> type != ContestantType.RAW && type.runsOn(kind))
                .map(ContestantType::label)
                .toList();
        assertThat(results).extracting(Result::contestant).containsAll(expected);
        assertThat(results)
                .allSatisfy(result -> assertThat(result.value().min()).isPositive());
    }

    @Test
    void wrongArgumentsAreNamed() {
        assertThatThrownBy(() -> Arguments.parse("--database", "h2")).hasMessageContaining("scenario");
        assertThatThrownBy(() -> Arguments.parse("fire", "--repeats", "0"))
                .hasMessageContaining("at least 1 but was 0");
        assertThatThrownBy(() -> Arguments.parse("fire", "--fast", "1")).hasMessageContaining("--fast");
        assertThatThrownBy(() -> Arguments.parse("fire", "--against", "cron")).hasMessageContaining("cron");
        assertThatThrownBy(() -> Benchmark.run(Arguments.parse("fire", "--database", "h2", "--keep", "kept")))
                .hasMessageContaining("--keep needs a server");
        assertThatThrownBy(() -> Scenario.named("frie")).hasMessageContaining("frie");
        assertThatThrownBy(() -> run(DatabaseKind.H2, "fire", "", 1, directory.resolve("no.json"), List.of("kep")))
                .hasMessageContaining("kep");
    }

    private static List<Result> run(
            DatabaseKind kind, String scenario, String against, int seconds, Path json, List<String> variants)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of(scenario, "--database", kind.label(), "--against", against));
        arguments.addAll(List.of(
                "--timers",
                "200",
                "--seconds",
                Integer.toString(seconds),
                "--repeats",
                "1",
                "--variants",
                String.join(",", variants),
                "--json",
                json.toString()));
        String url = url(kind);
        if (url != null) {
            arguments.addAll(List.of("--url", url));
        }
        return Benchmark.run(Arguments.parse(arguments.toArray(String[]::new)));
    }

    private static @Nullable String url(DatabaseKind kind) {
        String variable = SERVERS.get(kind);
        if (variable == null) {
            return null;
        }
        String url = System.getenv(variable);
        boolean required = Boolean.parseBoolean(System.getenv("DUETIME_TEST_REQUIRED"));
        Assumptions.assumeTrue(url != null || required, () -> "name a running server by " + variable);
        return url;
    }
}
