package dev.duetime.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.node.PreviousRelease;
import dev.duetime.lab.chaos.scenario.Arguments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An upgrade without stopping: nodes of the previous release and of this one share a schema, and nothing is lost, early
 * or repeated without a reason. UPGRADING.md promises this.
 */
@Tag("full")
class UpgradeTest {
    private static final String REQUIRED = "DUETIME_TEST_REQUIRED";

    @TempDir
    Path folder;

    /** The previous release is built from its commit, which an archive of the sources or a shallow clone has not. */
    @BeforeAll
    static void thePreviousReleaseIsInTheRepository() throws IOException, InterruptedException {
        Process git = new ProcessBuilder("git", "cat-file", "-e", PreviousRelease.COMMIT + "^{commit}")
                .redirectErrorStream(true)
                .start();
        Assumptions.assumeTrue(
                git.waitFor(1, TimeUnit.MINUTES) && git.exitValue() == 0,
                "the commit " + PreviousRelease.COMMIT + " of the previous release is not in this repository");
    }

    @ParameterizedTest
    @ValueSource(strings = {"DUETIME_TEST_POSTGRES_URL", "DUETIME_TEST_MARIADB_URL"})
    void oldAndNewNodesShareASchemaAndLoseNothing(String server) throws Exception {
        String url = System.getenv(server);
        boolean required = Boolean.parseBoolean(System.getenv(REQUIRED));
        Assumptions.assumeTrue(url != null || required, "name a server by " + server);

        Report report = Chaos.run(Arguments.parse(List.of(
                        "--scenario",
                        "upgrade",
                        "--nodes",
                        "3",
                        "--seconds",
                        "6",
                        "--rate",
                        "150",
                        "--lease",
                        "3",
                        "--delay",
                        "2",
                        "--seed",
                        "5",
                        "--logs",
                        folder.toString(),
                        "--url",
                        String.valueOf(url))
                .toArray(String[]::new)));

        assertThat(report.verdict().findings().lost()).isEmpty();
        assertThat(report.verdict().findings().early()).isEmpty();
        assertThat(report.verdict().findings().unexplained()).isEmpty();
        assertThat(report.verdict().findings().wrong()).isEmpty();
        assertThat(report.claims())
                .filteredOn(each -> !each.what().startsWith("spread"))
                .hasSizeGreaterThan(2)
                .allMatch(Claim::holds);
    }
}
