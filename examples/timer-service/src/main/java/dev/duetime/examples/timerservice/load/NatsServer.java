package dev.duetime.examples.timerservice.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A NATS server with JetStream, run as a process on a free port of loopback. Used by one thread. */
public final class NatsServer implements AutoCloseable {
    private static final int ATTEMPTS = 500;

    private final Path program;
    private final Path directory;
    private final int port;
    private @Nullable Process process;

    /**
     * Prepares a server that keeps its streams in a directory; {@link #start} runs it.
     *
     * @throws IOException if there is no program named nats-server
     */
    public NatsServer(Path directory) throws IOException {
        this.directory = directory;
        program = program().orElseThrow(() -> new IOException("nats-server is not installed"));
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
    }

    /** Returns the program in the search path, or where Debian installs it. */
    public static Optional<Path> program() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Arrays.stream(path.split(":")), Stream.of("/usr/sbin", "/usr/local/bin"))
                .map(folder -> Path.of(folder, "nats-server"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns where clients connect. */
    public String url() {
        return "nats://127.0.0.1:" + port;
    }

    /**
     * Starts the server, for the first time or again with its stored streams. Returns when it answers.
     *
     * @throws IOException if it does not
     */
    public void start() throws IOException, InterruptedException {
        Process started = new ProcessBuilder(
                        program.toString(), "-a", "127.0.0.1", "-p", String.valueOf(port), "-js", "-sd", "" + directory)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("nats.log").toFile()))
                .start();
        process = started;
        for (int attempt = 0; !answers(); attempt++) {
            if (started.waitFor(20, TimeUnit.MILLISECONDS) || attempt == ATTEMPTS) {
                throw new IOException("nats-server does not answer: " + directory.resolve("nats.log"));
            }
        }
    }

    /** Ends it in good order. */
    public void stop() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.destroy();
            running.waitFor();
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
