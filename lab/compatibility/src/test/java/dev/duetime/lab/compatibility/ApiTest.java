package dev.duetime.lab.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.lab.chaos.node.PreviousRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the API breaks nothing since the previous release but what UPGRADING.md lists. */
@Tag("full")
class ApiTest {
    private static final Path ROOT = Path.of("..", "..");
    /** All released modules but timer-spring-boot-3, whose libraries clash, and which has no API. */
    private static final List<String> MODULES =
            List.of("timer-core", "timer-jdbc", "timer-testkit", "timer-console", "timer-spring-boot");

    private static final Pattern LIST = Pattern.compile("```breaks\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path directory;

    /** An archive of the sources or a shallow clone has no previous release. */
    @BeforeAll
    static void thePreviousReleaseIsInTheRepository() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                isInRepository(PreviousRelease.COMMIT + "^{commit}"),
                "the commit " + PreviousRelease.COMMIT + " of the previous release is not in this repository");
    }

    private static boolean isInRepository(String object) throws IOException, InterruptedException {
        Process git = new ProcessBuilder("git", "-C", ROOT.toString(), "cat-file", "-e", object)
                .redirectErrorStream(true)
                .start();
        return git.waitFor(1, TimeUnit.MINUTES) && git.exitValue() == 0;
    }

    /** Returns the modules that the previous release had. A module that is new breaks nothing. */
    private static List<String> former() throws IOException, InterruptedException {
        List<String> former = new ArrayList<>();
        for (String module : MODULES) {
            if (isInRepository(PreviousRelease.COMMIT + ":" + module + "/src/main")) {
                former.add(module);
            }
        }
        return former;
    }

    /** Returns the breaks of the first version that UPGRADING.md names, which is the next one to be released. */
    private static Set<String> listed() throws IOException {
        String page = Files.readString(ROOT.resolve("UPGRADING.md"));
        String notes = page.substring(page.indexOf("## Notes by version"));
        int first = notes.indexOf("\n### ");
        int second = notes.indexOf("\n### ", first + 1);
        Matcher list = LIST.matcher(notes.substring(first, second < 0 ? notes.length() : second));
        return list.find() ? new TreeSet<>(list.group(1).lines().toList()) : Set.of();
    }

    @Test
    void theApiBreaksOnlyWhatTheNotesForUpgradesList() throws IOException, InterruptedException {
        Path former = PreviousRelease.classes(PreviousRelease.COMMIT, directory, former());
        Path latter = Files.createDirectories(directory.resolve("latter"));
        for (String module : MODULES) {
            copy(ROOT.resolve(module).resolve("target/classes"), latter);
        }

        assertThat(ApiBreaks.between(former, latter, directory))
                .as("breaks of the API, as listed in UPGRADING.md")
                .isEqualTo(listed());
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                if (!Files.exists(copy)) {
                    Files.copy(file, copy);
                }
            }
        }
    }
}
