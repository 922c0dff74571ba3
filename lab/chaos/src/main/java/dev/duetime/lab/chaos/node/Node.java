package dev.duetime.lab.chaos.node;

import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.Log;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The process of a node, seen from its parent. It ends when its standard input ends, so it never outlives its parent.
 */
public final class Node {
    private final String name;
    private final Process process;

    private Node(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /** Starts the process of a node, on the libraries of a class path. */
    static Node start(Class<?> program, NodeSettings settings, String classPath) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dchaos.level=INFO",
                "-cp",
                classPath,
                program.getName()));
        command.addAll(settings.toArguments());
        try {
            Path output = settings.logs().resolve(settings.name() + ".out");
            return new Node(
                    settings.name(),
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(Redirect.to(output.toFile()))
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String name() {
        return name;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends a command to the process. A process that has just died does not receive it. */
    public void tell(String line) {
        try {
            OutputStream input = process.getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            System.err.println("chaos: " + name + " does not read its commands: " + e.getMessage());
        }
    }

    /** Ends the process with SIGKILL. */
    public void kill() {
        process.destroyForcibly();
        await(Duration.ofSeconds(10));
    }

    /** Ends the process with SIGTERM, upon which it closes its scheduler; returns whether it has ended in time. */
    public boolean terminate(Duration limit) {
        // Process.destroy would close its standard input, too, upon which it ends without closing anything.
        process.toHandle().destroy();
        return await(limit);
    }

    /**
     * Stops the process with SIGSTOP. Another process continues it, even if this one dies meanwhile.
     *
     * @return the stop, when it is over
     */
    public Fault pause(Duration duration) throws IOException, InterruptedException {
        String seconds = "%d.%03d".formatted(duration.toSeconds(), duration.toMillisPart());
        long from = Log.now();
        new ProcessBuilder(
                        "sh",
                        "-c",
                        "trap '' INT TERM HUP; kill -STOP $1; sleep $2; kill -CONT $1",
                        "sh",
                        String.valueOf(process.pid()),
                        seconds)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start()
                .waitFor();
        return new Fault(from, Log.now(), "pause", name);
    }

    private boolean await(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
