package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A class whose initialization fails, since the heap is full, is broken until the process ends. So loops need no class
 * that is not initialized before they begin.
 */
class LateClassesTest {
    private static final Pattern INITIALIZED =
            Pattern.compile("Initializing '((java|dev/duetime|tools)/[^']*)'(?! ?\\(no method\\))");
    /** What the process itself needs. */
    private static final Pattern OWN = Pattern.compile("Lambda|/specification/|java/lang/Shutdown");

    /** If this fails, bring the lists of {@code dev.duetime.engine.EngineClasses} up to date. */
    @Test
    @Tag("full")
    void loopsInitializeNoClass(@TempDir Path folder) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+init=info",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LateClassesProcess.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(out.toFile()))
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        List<String> lines = Files.readAllLines(out);
        assertThat(process.exitValue()).isZero();
        assertThat(lines.stream()
                        .dropWhile(line -> !line.equals(LateClassesProcess.STARTED))
                        .flatMap(line -> INITIALIZED.matcher(line).results())
                        .map(MatchResult::group)
                        .filter(each -> !OWN.matcher(each).find()))
                .isEmpty();
    }
}
