package dev.duetime.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A check that docs/testing.md lists exactly the invariants that the simulation has. */
class InvariantsPageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "testing.md");
    private static final Path INVARIANTS = Path.of(
            "..", "..", "timer-testkit", "src", "main", "java", "dev", "duetime", "testkit", "simulation", "invariant");
    private static final Pattern CLASS = Pattern.compile("final class (\\w+) implements Invariant \\{");
    private static final Pattern ROW = Pattern.compile("^\\| ([a-z ]+) \\|", Pattern.MULTILINE);

    @Test
    void thePageListsEveryInvariant() throws IOException {
        String page = Files.readString(PAGE);
        String table = page.substring(page.indexOf("| invariant | says |"), page.indexOf("An *excuse* is"));
        List<String> listed = ROW.matcher(table)
                .results()
                .map(each -> each.group(1))
                .filter(each -> !each.equals("invariant"))
                .toList();

        assertThat(listed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(invariants());
    }

    private static Set<String> invariants() throws IOException {
        try (Stream<Path> files = Files.list(INVARIANTS)) {
            return files.flatMap(file -> CLASS.matcher(read(file)).results())
                    .map(each ->
                            each.group(1).replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT))
                    .collect(Collectors.toSet());
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
