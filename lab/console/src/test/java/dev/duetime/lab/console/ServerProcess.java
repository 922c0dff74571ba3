package dev.duetime.lab.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A console in a process of its own, whose processor time can be read. */
final class ServerProcess implements AutoCloseable {
    private final Process process;
    private final URI address;
    private final BlockingQueue<Duration> compiled = new LinkedBlockingQueue<>();

    ServerProcess(String url) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerMain.class.getName(),
                        url)
                .redirectErrorStream(true)
                .start();
        BufferedReader lines = process.inputReader();
        String line = lines.readLine();
        while (line != null && !line.startsWith(ServerMain.ADDRESS)) {
            line = lines.readLine();
        }
        if (line == null) {
            throw new IOException("the console did not start");
        }
        address = URI.create(line.substring(ServerMain.ADDRESS.length()));
        Thread drain = new Thread(() -> lines.lines().forEach(this::read), "output-of-console");
        drain.setDaemon(true);
        drain.start();
    }

    private void read(String line) {
        if (line.startsWith(ServerMain.COMPILED)) {
            compiled.add(Duration.ofMillis(Long.parseLong(line.substring(ServerMain.COMPILED.length()))));
        }
    }

    /** Returns for how long the process has compiled its code. */
    Duration compiled() throws IOException, InterruptedException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        return Objects.requireNonNull(compiled.poll(20, TimeUnit.SECONDS), "the console must answer");
    }

    URI address() {
        return address;
    }

    /** Returns how much processor time the process has used. */
    Duration used() {
        return process.info().totalCpuDuration().orElseThrow();
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
