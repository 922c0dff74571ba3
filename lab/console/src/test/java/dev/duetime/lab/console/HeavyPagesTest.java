package dev.duetime.lab.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rule that screens and operations need little memory, however large the payloads of their timers are. H2 works in
 * the same process.
 */
@Tag("full")
class HeavyPagesTest {

    @TempDir
    Path folder;

    @Test
    void screensOfTimersOfAMebibyteFitIntoASmallHeap() throws IOException, InterruptedException {
        runs(HeavyPagesMain.class);
    }

    @Test
    void operationsOnTimersOfAMebibyteFitIntoASmallHeap() throws IOException, InterruptedException {
        runs(HeavyBulkMain.class);
    }

    private void runs(Class<?> program) throws IOException, InterruptedException {
        Path output = folder.resolve("out");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName(),
                        "jdbc:h2:file:" + folder.resolve("heavy"))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(output.toFile()))
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
