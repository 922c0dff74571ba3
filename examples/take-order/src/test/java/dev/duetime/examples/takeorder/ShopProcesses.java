package dev.duetime.examples.takeorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The processes of the shop, one at a time. Starts and kills them, and reads the log that they share. */
final class ShopProcesses implements AutoCloseable {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(90);

    private final String url;
    private final Path log;
    private final Path output;
    private @Nullable Process process;

    ShopProcesses(String url, Path folder) {
        this.url = url;
        log = folder.resolve("log");
        output = folder.resolve("output");
    }

    /** Starts the shop, which stops at points given as order, step and moment. */
    void start(List<String> orderIds, List<String> standStill) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ShopProcess.class.getName(),
                        url,
                        log.toString(),
                        String.join(",", orderIds),
                        standStill.isEmpty() ? "nowhere" : String.join(",", standStill))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(output.toFile()))
                .start();
    }

    /** Waits until so many lines of the log begin with this word, by all processes together. */
    void await(String word, int count) throws IOException, InterruptedException {
        Process running = running();
        long end = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (count(word) < count) {
            assertThat(System.nanoTime()).as("waited for too long: %s", lines()).isLessThan(end);
            if (running.waitFor(10, TimeUnit.MILLISECONDS)) {
                assertThat(count(word))
                        .as("it ended: %s", Files.readString(output))
                        .isEqualTo(count);
            }
        }
    }

    private Process running() {
        Process running = process;
        if (running == null) {
            throw new IllegalStateException("no process was started");
        }
        return running;
    }

    private long count(String word) throws IOException {
        return lines().stream().filter(each -> each.startsWith(word)).count();
    }

    /** Ends the process with SIGKILL. */
    void kill() throws InterruptedException {
        assertThat(running().isAlive()).isTrue();
        running().destroyForcibly().waitFor();
    }

    /** Waits until the process has ended by itself. */
    void awaitEnd() throws IOException, InterruptedException {
        await("done", 1);
        assertThat(running().waitFor(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(running().exitValue()).as(Files.readString(output)).isZero();
    }

    /** Returns the complete lines. */
    List<String> lines() throws IOException {
        String text = Files.exists(log) ? Files.readString(log) : "";
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }
}
