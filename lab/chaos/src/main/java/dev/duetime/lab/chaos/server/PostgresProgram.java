package dev.duetime.lab.chaos.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL from the binaries on the class path. */
final class PostgresProgram implements ServerProgram {
    private final Path home;

    private PostgresProgram(Path home) {
        this.home = home;
    }

    /**
     * Unpacks the binaries.
     *
     * @throws IllegalStateException if there are none for this machine
     */
    static PostgresProgram unpack(Path home) throws IOException, InterruptedException {
        String machine = System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64";
        String name = "/postgres-linux-" + machine + ".txz";
        try (InputStream packed = PostgresProgram.class.getResourceAsStream(name)) {
            if (packed == null || !System.getProperty("os.name").equals("Linux")) {
                throw new IllegalStateException("there are no binaries of PostgreSQL for this machine");
            }
            Process tar = new ProcessBuilder("tar", "-x", "-C", home.toString()).start();
            try (InputStream unpacked = new XZInputStream(packed);
                    OutputStream files = tar.getOutputStream()) {
                unpacked.transferTo(files);
            }
            if (tar.waitFor() != 0) {
                throw new IllegalStateException("tar could not unpack PostgreSQL into " + home);
            }
        }
        return new PostgresProgram(home);
    }

    @Override
    public String user() {
        return "postgres";
    }

    @Override
    public List<String> install(Path data) {
        return List.of(
                program("initdb"),
                "--pgdata=" + data,
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C");
    }

    /** {@code fsync} and {@code synchronous_commit} are on by default. They are set here to make that obvious. */
    @Override
    public List<String> run(Path data, Path pidFile, int port) {
        return List.of(
                program("postgres"),
                "-D" + data,
                "-p" + port,
                "-cfsync=on",
                "-csynchronous_commit=on",
                "-clisten_addresses=127.0.0.1",
                "-cunix_socket_directories=",
                "-cexternal_pid_file=" + pidFile);
    }

    private String program(String name) {
        return home.resolve("bin").resolve(name).toString();
    }

    @Override
    public String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
    }
}
