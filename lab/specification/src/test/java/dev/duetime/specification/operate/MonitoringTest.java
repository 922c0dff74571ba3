package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.duetime.CancelResult;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests of the alerts for Prometheus and of the dashboard for Grafana, against a real scrape. */
class MonitoringTest extends MeteredKit {
    private static final Path FOLDER = Path.of("..", "..", "docs", "monitoring");
    private static final Path ALERTS = FOLDER.resolve("alerts.yml");
    private static final Path CASES = FOLDER.resolve("alerts.test.yml");
    private static final Path DASHBOARD = FOLDER.resolve("grafana-dashboard.json");
    private static final Path PAGE = Path.of("..", "..", "docs", "monitoring.md");

    private static final Pattern METRIC = Pattern.compile("\\bduetime_\\w+");
    private static final Pattern SELECTOR = Pattern.compile("\\b(duetime_\\w+)\\{([^}]*)}");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)=~?\"([^\"]*)\"");
    private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");

    /** Labels that Prometheus itself adds. */
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

    /** Meters whose alarm needs to know what the application does. */
    private static final Set<String> NO_ALERT = Set.of("duetime.timer.scheduled", "duetime.timer.delivered");

    @TempDir
    Path directory;

    private static List<String> scrape() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (TimerKit kit = kit(prometheus, 1)) {
            run(kit);
            kit.scheduler().listener().cancelled(TimerKey.of("delivered"), CancelResult.TOO_LATE);
            return prometheus
                    .scrape()
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<JsonNode> panels() throws IOException {
        JsonNode dashboard = JsonMapper.builder().build().readTree(Files.readString(DASHBOARD));
        return dashboard.get("panels").valueStream().toList();
    }

    private static List<String> expressionsOfPanels() throws IOException {
        return panels().stream()
                .filter(panel -> panel.has("targets"))
                .flatMap(panel -> panel.get("targets").valueStream())
                .map(target -> target.get("expr").asString())
                .toList();
    }

    @Test
    void everyMetricThatAFileNamesIsExported() throws IOException {
        Set<String> exported = new TreeSet<>();
        scrape().forEach(line -> exported.addAll(found(METRIC, line.substring(0, line.indexOf('{')))));

        for (Path file : List.of(ALERTS, CASES, DASHBOARD)) {
            assertThat(found(METRIC, Files.readString(file)))
                    .as("metrics in %s", file)
                    .isNotEmpty()
                    .isSubsetOf(exported);
        }
    }

    @Test
    void everyLabelThatASelectorNamesIsExported() throws IOException {
        String scraped = String.join("\n", scrape());
        String selectors = Files.readString(ALERTS) + String.join("\n", expressionsOfPanels());
        List<String> wrong = new ArrayList<>();
        SELECTOR.matcher(selectors).results().forEach(selector -> {
            MATCHER.matcher(selector.group(2)).results().forEach(matcher -> {
                String label = matcher.group(1);
                String value = matcher.group(2).startsWith("$") ? "" : matcher.group(2) + "\"";
                Pattern line = Pattern.compile("(?m)^" + selector.group(1) + "\\{[^}]*\\b" + label + "=\"" + value);
                if (!OF_PROMETHEUS.contains(label) && !line.matcher(scraped).find()) {
                    wrong.add(selector.group());
                }
            });
        });

        assertThat(wrong).as("selectors that match nothing").isEmpty();
    }

    @Test
    void everyAlarmOfTheOperationsPageHasAnAlert() throws IOException {
        String alerts = Files.readString(ALERTS);
        List<String> missing = new ArrayList<>();
        Pattern.compile("(?m)^\\| `(duetime\\.[a-z.]+)` \\|[^|]*\\|[^|]*\\| ([^|]*)\\|$")
                .matcher(Files.readString(PAGE))
                .results()
                .filter(row -> !row.group(2).startsWith("–") && !NO_ALERT.contains(row.group(1)))
                .filter(row -> !alerts.contains(row.group(1).replace('.', '_')))
                .forEach(row -> missing.add(row.group(1)));

        assertThat(missing).isEmpty();
    }

    @Test
    void everyAlertHasACaseInWhichItFires() throws IOException {
        String cases = Files.readString(CASES);

        assertThat(ALERT.matcher(Files.readString(ALERTS)).results().map(each -> each.group(1)))
                .isNotEmpty()
                .allSatisfy(alert -> assertThat(cases).contains("name: " + alert + " fires\n"))
                .allSatisfy(alert -> assertThat(cases).contains("name: " + alert + " is silent\n"));
    }

    @Test
    void everyPanelOfTheDashboardHasItsOwnNumberAndAsksSomething() throws IOException {
        assertThat(panels().stream().map(panel -> panel.get("id").asInt())).doesNotHaveDuplicates();
        assertThat(panels())
                .allSatisfy(panel -> assertThat(panel.get("type").asString().equals("row")
                                || !panel.get("targets").isEmpty())
                        .isTrue());
    }

    @Test
    void promtoolAcceptsTheAlertsAndTheirCases() throws Exception {
        promtool("check", "rules", ALERTS.toString());
        promtool("test", "rules", CASES.toString());
    }

    @Test
    void promtoolAcceptsTheQueriesOfTheDashboard() throws Exception {
        StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
        int number = 0;
        for (String expression : expressionsOfPanels()) {
            rules.append("      - record: panel:%d\n        expr: >-\n          %s\n"
                    .formatted(number++, expression.replace("$__rate_interval", "5m")));
        }
        Path file = Files.writeString(directory.resolve("dashboard.yml"), rules);

        promtool("check", "rules", file.toString());
    }

    private void promtool(String... arguments) throws IOException, InterruptedException {
        boolean isThere = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool")));
        boolean isRequired = Boolean.parseBoolean(System.getenv("DUETIME_TEST_REQUIRED"));
        assumeTrue(isThere || isRequired, "promtool is not installed: it is in Debian's package prometheus");
        Path output = directory.resolve("promtool.out");
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        int status = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();

        assertThat(status).as(() -> output(output)).isZero();
    }

    private static String output(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
