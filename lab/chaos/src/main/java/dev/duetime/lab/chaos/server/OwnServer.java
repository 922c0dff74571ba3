package dev.duetime.lab.chaos.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A server for this trial alone, in a temporary directory. If this process is root, which servers refuse to be, another
 * user runs the server. When this process has ended, for whatever reason, a guardian process ends the server and
 * removes the directory.
 */
public final class OwnServer implements Server {
    private static final Duration INSTALL = Duration.ofSeconds(60);
    private static final Duration START = Duration.ofSeconds(60);

    /** Waits for the end of its standard input, which is held by the process that started it. */
    private static final String GUARDIAN = """
            trap '' INT TERM HUP
            cat > /dev/null
            kill -QUIT "$(head -n 1 "$1/data/server.pid")" 2> /dev/null && sleep 1
            kill -KILL "$(head -n 1 "$1/data/server.pid")" 2> /dev/null
            rm -rf "$1"
            """;

    private final ServerProgram program;
    private final String user;
    private final Path directory;
    private final Path data;
    private final Path pidFile;
    private final int port = freePort();
    private final Process guardian;

    private OwnServer(ServerProgram program, Path directory) throws IOException {
        this.program = program;
        this.directory = directory;
        user = userOf(program);
        data = Files.createDirectory(
                directory.resolve("data"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        pidFile = data.resolve("server.pid");
        guardian = new ProcessBuilder("sh", "-c", GUARDIAN, "sh", directory.toString())
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        try {
            if (isRoot()) {
                Commands.run(List.of("chown", user, data.toString()), INSTALL);
            }
            Commands.run(asUser(program.install(data)), INSTALL);
            revive();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Starts PostgreSQL from the binaries that come with the program. */
    public static OwnServer postgres() {
        try {
            Path directory = newDirectory();
            return new OwnServer(PostgresProgram.unpack(directory), directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Starts MySQL from the binaries that come with the program. */
    public static OwnServer mySql() {
        try {
            Path directory = newDirectory();
            return new OwnServer(MySqlProgram.unpack(directory), directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Starts the MariaDB that is installed on this machine. */
    public static OwnServer mariaDb() {
        try {
            return new OwnServer(new MariaDbProgram(), newDirectory());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path newDirectory() throws IOException {
        return Files.createTempDirectory(
                "duetime-chaos-", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** Returns an existing user. */
    private static String userOf(ServerProgram program) {
        try {
            Commands.run(List.of("id", program.user()), INSTALL);
            return program.user();
        } catch (IllegalStateException e) {
            return "nobody";
        }
    }

    private List<String> asUser(List<String> command) {
        List<String> whole = new ArrayList<>();
        if (isRoot()) {
            whole.addAll(List.of("runuser", "-u", user, "--"));
        }
        whole.addAll(command);
        return whole;
    }

    @Override
    public String url() {
        return program.url(port);
    }

    @Override
    public boolean isRestartable() {
        return true;
    }

    @Override
    public void crash() {
        try {
            long pid = Long.parseLong(Files.readAllLines(pidFile).get(0).strip());
            ProcessHandle.of(pid).ifPresent(server -> {
                List<ProcessHandle> all = new ArrayList<>(server.descendants().toList());
                all.add(0, server);
                all.forEach(ProcessHandle::destroyForcibly);
                all.forEach(each -> each.onExit().join());
            });
            Files.delete(pidFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void revive() {
        try {
            new ProcessBuilder(asUser(program.run(data, pidFile, port)))
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(
                            Redirect.appendTo(directory.resolve("server.out").toFile()))
                    .start();
            Commands.awaitAnswer(url(), START);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            guardian.getOutputStream().close();
            guardian.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
