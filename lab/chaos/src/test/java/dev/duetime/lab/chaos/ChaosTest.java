package dev.duetime.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.log.Measures;
import dev.duetime.lab.chaos.scenario.Arguments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A short run with real processes, so that the program keeps working. docs/reliability.md describes the long runs. */
class ChaosTest {
    private static final String POSTGRES = "DUETIME_TEST_POSTGRES_URL";
    private static final String REQUIRED = "DUETIME_TEST_REQUIRED";

    @TempDir
    Path folder;

    /** Makes no claims about speed or an even spread, because a build machine is busy. */
    @Tag("full")
    @Test
    void aShortTrialLosesNothingAndRepeatsNothingWithoutAReason() throws Exception {
        Report report = run();

        assertThat(report.verdict().findings().lost()).isEmpty();
        assertThat(report.verdict().findings().early()).isEmpty();
        assertThat(report.verdict().findings().unexplained()).isEmpty();
        assertThat(report.verdict().findings().wrong()).isEmpty();
        assertThat(report.claims())
                .filteredOn(each -> each.what().contains("still scheduled"))
                .allMatch(Claim::holds);
        // With this seed the first fault is a kill, and the second one a crash of the server.
        assertThat(report.faults()).containsKey(Measures.KILL);
        assertThat(report.verdict().deliveries().delivered()).isPositive();
        assertThat(folder.resolve("report.json")).content().contains("\"accepted\"", "\"seed\" : 5");
    }

    /** No loop has ended, because each node delivers timers in the end. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"held-rows", "rude-code", "full-heap", "future-leases"})
    void aShortTrialHoldsAndEachNodeDeliversAfterwards(String scenario) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--scenario", scenario, "--nodes", "2", "--seconds", "6"));
        arguments.addAll(List.of("--rate", "150", "--lease", "2", "--delay", "2", "--seed", "5"));
        arguments.addAll(List.of("--logs", folder.resolve("logs").toString()));
        String url = System.getenv(POSTGRES);
        arguments.addAll(url == null ? List.of() : List.of("--url", url));
        Report report;
        try {
            report = Chaos.run(Arguments.parse(arguments.toArray(String[]::new)));
        } catch (IllegalStateException e) {
            boolean required = Boolean.parseBoolean(System.getenv(REQUIRED));
            Assumptions.assumeTrue(url != null || required, "no server starts here; name one by " + POSTGRES);
            throw e;
        }

        assertThat(report.verdict().isSound()).as("%s", report.verdict()).isTrue();
        assertThat(report.claims())
                .filteredOn(each ->
                        !each.what().startsWith("spread") && !each.what().startsWith("takeover"))
                .allMatch(Claim::holds);
        assertThat(report.spread())
                .hasSize(2)
                .allSatisfy((node, delivered) -> assertThat(delivered).isPositive());
    }

    @Test
    void aServerElsewhereIsRefused() {
        assertThatThrownBy(() -> Arguments.parse("--url", "jdbc:postgresql://db.example.com/prod?user=x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("db.example.com");
    }

    @Test
    void anUnknownOptionAndAValueOutOfRangeAreRefused() {
        assertThatThrownBy(() -> Arguments.parse("--node", "4")).hasMessageContaining("--node");
        assertThatThrownBy(() -> Arguments.parse("--nodes", "1")).hasMessageContaining("from 2.0 to 16.0 but was 1");
    }

    /** On a server of its own, which can be crashed; else on the one that the environment names. */
    private Report run() throws Exception {
        try {
            return Chaos.run(arguments(""));
        } catch (IllegalStateException e) {
            String url = System.getenv(POSTGRES);
            boolean required = Boolean.parseBoolean(System.getenv(REQUIRED));
            Assumptions.assumeTrue(url != null || required, "no server starts here; name one by " + POSTGRES);
            return Chaos.run(arguments(String.valueOf(url)));
        }
    }

    private Arguments arguments(String url) {
        List<String> arguments = new ArrayList<>(List.of("--nodes", "3", "--seconds", "5", "--rate", "150"));
        arguments.addAll(List.of("--lease", "2", "--delay", "2", "--seed", "5"));
        arguments.addAll(List.of("--json", folder.resolve("report.json").toString()));
        arguments.addAll(List.of("--logs", folder.resolve("logs").toString()));
        arguments.addAll(url.isEmpty() ? List.of() : List.of("--url", url));
        return Arguments.parse(arguments.toArray(String[]::new));
    }
}
