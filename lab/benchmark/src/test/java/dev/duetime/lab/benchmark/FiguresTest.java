package dev.duetime.lab.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.lab.benchmark.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The rule that figures on pages come from results in the repository. Before such a table stands
 * {@code <!-- figures: performance/fire-postgres.json -->}. Each of its figures is the median of a result in that file,
 * and the file holds the command and all repetitions.
 */
class FiguresTest {
    private static final Pattern MARKER = Pattern.compile("<!-- figures: (\\S+) -->");
    private static final Pattern FIGURE = Pattern.compile("\\d[\\d,]*(\\.\\d+)?");

    @TempDir
    private Path directory;

    @Test
    void everyMarkedTableComesFromItsResults() throws IOException {
        Path root = Path.of("../..");
        Path docs = root.resolve("docs");
        List<String> problems = new ArrayList<>(problems(root.resolve("README.md"), docs));
        try (Stream<Path> pages = Files.list(docs)) {
            for (Path page :
                    pages.filter(each -> each.toString().endsWith(".md")).toList()) {
                problems.addAll(problems(page, docs));
            }
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void aFigureThatIsInNoResultIsNamed() throws IOException {
        Files.writeString(directory.resolve("fire.json"), """
                {"command": "java -jar benchmark.jar fire", "results": [{"value": 90606.4, "values": [90606.4]}]}
                """);
        String table = """
                <!-- figures: fire.json -->
                | | fire |
                |---|---|
                | kept | %s |
                """;

        assertThat(problemsOf(table.formatted("90,606"))).isEmpty();
        assertThat(problemsOf(table.formatted("90,607")))
                .singleElement()
                .asString()
                .contains("90,607", "fire.json");
        assertThat(problemsOf(table.formatted("1").replace("fire.json", "gone.json")))
                .singleElement()
                .asString()
                .contains("gone.json");
        Files.writeString(directory.resolve("fire.json"), "{\"results\": []}");
        assertThat(problemsOf(table.formatted("–"))).singleElement().asString().contains("command");
    }

    private List<String> problemsOf(String page) throws IOException {
        return problems(Files.writeString(directory.resolve("page.md"), page), directory);
    }

    private static List<String> problems(Path page, Path results) throws IOException {
        List<String> problems = new ArrayList<>();
        @Nullable List<String> figures = null;
        String source = "";
        int heads = 0;
        for (String line : Files.readAllLines(page)) {
            Matcher marker = MARKER.matcher(line);
            if (marker.matches()) {
                source = marker.group(1);
                figures = figures(results.resolve(source), page, problems);
                heads = 2;
            } else if (figures != null && line.startsWith("|")) {
                if (heads-- > 0) {
                    continue;
                }
                // The first cell is the name of the row.
                for (String cell : line.substring(line.indexOf('|', 1)).split("\\|", -1)) {
                    Matcher figure = FIGURE.matcher(cell);
                    while (figure.find()) {
                        if (!figures.contains(figure.group())) {
                            problems.add("%s: %s is not in %s".formatted(page.getFileName(), figure.group(), source));
                        }
                    }
                }
            } else if (!line.isBlank()) {
                figures = null;
            }
        }
        return problems;
    }

    private static @Nullable List<String> figures(Path results, Path page, List<String> problems) throws IOException {
        List<String> figures = new ArrayList<>();
        if (!Files.exists(results)) {
            problems.add("%s: %s is missing".formatted(page.getFileName(), results.getFileName()));
            return null;
        }
        JsonNode report = JsonMapper.shared().readTree(Files.readString(results));
        if (!report.has("command")) {
            problems.add("%s has no command".formatted(results.getFileName()));
        }
        for (JsonNode row : report.get("results")) {
            figures.add(Report.number(row.get("value").asDouble()));
        }
        return figures;
    }
}
