package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The processes of {@link TickingProcess} in a test. It starts and kills them, and reads their log. */
final class TickingNodes implements AutoCloseable {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(90);

    private final String url;
    private final Path folder;
    private final Map<String, Process> running = new HashMap<>();
    private int started;

    TickingNodes(String url, Path folder) {
        this.url = url;
        this.folder = folder;
    }

    /**
     * A line of the log.
     *
     * @param previous {@code null} in letters if there was none
     */
    record Told(String node, String subscription, String id, String now, String previous) {

        private static Told parse(String line) {
            String[] words = line.split(" ", 5);
            return new Told(words[0], words[1], words[2], words[3], words[4]);
        }

        Instant at() {
            return Instant.parse(now);
        }
    }

    /** Starts nodes under new names, so that no node inherits the shards of a killed one. */
    void start(int number) throws IOException {
        for (int i = 0; i < number; i++) {
            String name = "node-" + ++started;
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx128m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            TickingProcess.class.getName(),
                            name,
                            url,
                            folder.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.to(folder.resolve(name + ".out").toFile()))
                    .start();
            running.put(name, process);
        }
    }

    /** Stops the node that receives all seconds, and returns it once it has stopped. */
    String standStill(String where) throws IOException, InterruptedException {
        long before = stands();
        Files.createFile(folder.resolve(where));
        await(told -> stands(told) > before);
        return told().stream()
                .filter(each -> each.subscription().equals(TickingProcess.STANDS_STILL))
                .reduce((first, second) -> second)
                .orElseThrow()
                .node();
    }

    private long stands() throws IOException {
        return stands(told());
    }

    private static long stands(List<Told> told) {
        return told.stream()
                .filter(each -> each.subscription().equals(TickingProcess.STANDS_STILL))
                .count();
    }

    /** Ends a process with SIGKILL. */
    void kill(String name) throws InterruptedException {
        Process process = Objects.requireNonNull(running.remove(name), name);
        assertThat(process.isAlive()).as("%s was alive", name).isTrue();
        process.destroyForcibly().waitFor();
    }

    void killAll() throws InterruptedException {
        for (String each : List.copyOf(running.keySet())) {
            kill(each);
        }
    }

    /** Waits until each subscription has got the events of a number of further seconds. */
    void awaitSeconds(int number) throws IOException, InterruptedException {
        for (String each : List.of(TickingProcess.ALL, TickingProcess.LATEST)) {
            Instant last = last(told(), each);
            await(told -> !last(told, each).isBefore(last.plusSeconds(number)));
        }
    }

    private static Instant last(List<Told> told, String subscription) {
        Stream<Instant> all = told.stream()
                .filter(each -> each.subscription().equals(subscription))
                .map(Told::at);
        return all.max(Instant::compareTo).orElse(Instant.EPOCH);
    }

    private void await(Predicate<List<Told>> condition) throws IOException, InterruptedException {
        long end = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (!condition.test(told())) {
            assertThat(System.nanoTime()).as("waited for too long: %s", told()).isLessThan(end);
            for (Map.Entry<String, Process> each : running.entrySet()) {
                assertThat(each.getValue().waitFor(10, TimeUnit.MILLISECONDS))
                        .as("%s ended by itself: %s", each.getKey(), output(each.getKey()))
                        .isFalse();
            }
        }
    }

    private String output(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".out"));
    }

    /** Reads the complete lines. */
    List<Told> told() throws IOException {
        Path log = TickingProcess.log(folder);
        String text = Files.exists(log) ? Files.readString(log, StandardCharsets.UTF_8) : "";
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        return whole.lines().map(Told::parse).toList();
    }

    List<Told> told(String subscription) throws IOException {
        return new ArrayList<>(told().stream()
                .filter(each -> each.subscription().equals(subscription))
                .toList());
    }

    @Override
    public void close() {
        running.values().forEach(Process::destroyForcibly);
    }
}
