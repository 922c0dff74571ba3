package dev.duetime.lab.console;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A node in a process of its own, and what it has printed. */
final class NodeProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Process process;
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Map<String, Instant> delivered = new ConcurrentHashMap<>();

    NodeProcess(String url, String name, Path failing) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NodeMain.class.getName(),
                        url,
                        name,
                        failing.toString())
                .redirectErrorStream(true)
                .start();
        var lines = process.inputReader();
        Thread reader = new Thread(() -> lines.lines().forEach(this::read), "output-of-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    private void read(String line) {
        if (line.startsWith(NodeMain.DELIVERED)) {
            String[] words = line.split(" ", -1);
            delivered.put(words[1], Instant.parse(words[2]));
        } else {
            log.add(line);
        }
    }

    /** Returns when each timer was delivered here. */
    Map<String, Instant> delivered() {
        return delivered;
    }

    /** Waits until the log has a line with a text. */
    void awaitLog(String text) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (log.stream().noneMatch(line -> line.contains(text))) {
            if (System.nanoTime() > end || !process.isAlive()) {
                throw new AssertionError("the node must log '" + text + "' but logged " + log);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @Override
    public String toString() {
        return delivered.size() + " delivered, log " + log;
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
