package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.testkit.TimerKit;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that the operations page lists the registered meters and shows a real scrape. */
class MetricsPageTest extends MeteredKit {
    private static final Path PAGE = Path.of("..", "..", "docs", "monitoring.md");

    /** Leaves out the values that change with the pace of the engine, such as how often it polled. */
    private static String withoutPace(String line) {
        return line.contains("_total{") ? line : line.substring(0, line.lastIndexOf(' '));
    }

    @Test
    void theOperationsPageNamesEveryMeterAndNoOther() throws IOException {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (TimerKit kit = kit(registry, 1)) {
            run(kit);
            kit.node(0).storeDown();
            kit.advance(Duration.ofMinutes(1));
        }
        Set<String> metered = registry.getMeters().stream()
                .map(Meter::getId)
                .map(Meter.Id::getName)
                .filter(name -> !name.endsWith(".histogram"))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> named = new TreeSet<>();
        String page = Files.readString(PAGE);
        String table = page.substring(page.indexOf("## Metrics"), page.indexOf("## Listeners"));
        Matcher row = Pattern.compile("(?m)^\\| `(duetime\\.[a-z.]+)`").matcher(table);
        while (row.find()) {
            named.add(row.group(1));
        }

        assertThat(named).isEqualTo(metered);
    }

    @Test
    void theScrapeInTheOperationsPageIsOfARun() throws IOException {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (TimerKit kit = kit(prometheus, 1)) {
            run(kit);
            List<String> scraped = prometheus
                    .scrape()
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.contains("_max{"))
                    .sorted()
                    .toList();
            Matcher block = Pattern.compile("(?s)```prometheus\n(.*?)```").matcher(Files.readString(PAGE));

            assertThat(block.find()).isTrue();
            assertThat(block.group(1).lines().map(MetricsPageTest::withoutPace))
                    .isEqualTo(
                            scraped.stream().map(MetricsPageTest::withoutPace).toList());
        }
    }
}
