package dev.duetime.lab.chaos.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule that the logins of the tests have the rights that docs/operations.md names, and no others. */
class RightsPageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "operations.md");
    private static final Path TESTS = Path.of("src", "test", "java", "dev", "duetime", "lab", "chaos", "login");
    private static final Pattern RIGHT =
            Pattern.compile("CREATE VIEW|CREATE|ALTER|INDEX|DROP|USAGE|SELECT|INSERT|UPDATE|DELETE");
    /** Parts of a cell that grant nothing: sentences after the first one, and the other cell's rights by reference. */
    private static final Pattern SENTENCE = Pattern.compile("\\. .*");

    @ParameterizedTest
    @CsvSource({"PostgreSQL, PostgresGrantsTest", "MariaDB, MariaDbGrantsTest", "MySQL, MySqlGrantsTest"})
    void eachLoginHasTheRightsOfThePage(String database, String test) throws IOException {
        String[] row = Files.readString(PAGE)
                .lines()
                .filter(line -> line.startsWith("| " + database + " | `") && line.contains("SELECT"))
                .findFirst()
                .orElseThrow()
                .split(" \\| ", -1);
        Set<String> runs = rights(row[2]);
        Set<String> migrates = rights(row[1]);
        if (row[1].contains("the rights to run")) {
            migrates.addAll(runs);
        }

        String source = Files.readString(TESTS.resolve(test + ".java"));
        assertThat(granted(source, "migrator")).isEqualTo(migrates);
        assertThat(granted(source, "runner")).isEqualTo(runs);
    }

    private static Set<String> rights(String text) {
        Set<String> rights = new TreeSet<>();
        RIGHT.matcher(SENTENCE.matcher(text).replaceAll(""))
                .results()
                .map(MatchResult::group)
                .forEach(rights::add);
        return rights;
    }

    private static Set<String> granted(String source, String login) {
        Set<String> rights = new TreeSet<>();
        Pattern.compile("\"GRANT (.*) ON .* TO " + login)
                .matcher(source)
                .results()
                .forEach(grant -> rights.addAll(rights(grant.group(1))));
        return rights;
    }
}
