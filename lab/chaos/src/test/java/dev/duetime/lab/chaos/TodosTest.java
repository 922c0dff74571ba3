package dev.duetime.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.scenario.Arguments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Short trials of todo queues with real processes. The results of long trials are in docs/reliability.md. */
class TodosTest {
    private static final String POSTGRES = "DUETIME_TEST_POSTGRES_URL";
    private static final String REQUIRED = "DUETIME_TEST_REQUIRED";

    @TempDir
    Path folder;

    @Tag("full")
    @ParameterizedTest
    @CsvSource({
        "todos-killed, 3, 4, 250",
        "merges, 2, 2, 800",
        "deadly-todo, 3, 4, 100",
        "small-pools, 3, 4, 100",
        "limits, 3, 6, 100"
    })
    void everyClaimHolds(String scenario, String nodes, String seconds, String rate) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--scenario", scenario, "--nodes", nodes));
        arguments.addAll(List.of("--seconds", seconds, "--rate", rate, "--lease", "2", "--seed", "5"));
        arguments.addAll(List.of("--logs", folder.toString()));

        assertThat(run(arguments)).hasSizeGreaterThan(4).allMatch(Claim::holds);
    }

    /** On the server that the environment names; else on one of its own. */
    private static List<Claim> run(List<String> arguments) throws Exception {
        String url = System.getenv(POSTGRES);
        if (url != null) {
            arguments.addAll(List.of("--url", url));
        }
        try {
            return Chaos.runTodos(Arguments.parse(arguments.toArray(String[]::new)));
        } catch (IllegalStateException e) {
            boolean required = Boolean.parseBoolean(System.getenv(REQUIRED));
            Assumptions.assumeTrue(url != null || required, "no server starts here; name one by " + POSTGRES);
            throw e;
        }
    }
}
