package dev.duetime.lab.chaos.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** MySQL 8.0.15 from the binaries on the class path. */
final class MySqlProgram implements ServerProgram {
    private final Path home;

    private MySqlProgram(Path home) {
        this.home = home;
    }

    /**
     * Unpacks the binaries.
     *
     * @throws IllegalStateException if there are none for this machine
     */
    static MySqlProgram unpack(Path home) throws IOException, InterruptedException {
        boolean fits = System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64");
        try (InputStream packed = MySqlProgram.class.getResourceAsStream("/mysql-Linux-amd64.tar.gz")) {
            if (packed == null || !fits) {
                throw new IllegalStateException("there are no binaries of MySQL for this machine");
            }
            Process tar = new ProcessBuilder("tar", "-xz", "--no-same-owner", "-C", home.toString()).start();
            try (OutputStream files = tar.getOutputStream()) {
                packed.transferTo(files);
            }
            if (tar.waitFor() != 0) {
                throw new IllegalStateException("tar could not unpack MySQL into " + home);
            }
        }
        return new MySqlProgram(home);
    }

    @Override
    public String user() {
        return "mysql";
    }

    @Override
    public List<String> install(Path data) {
        return program("--datadir=" + data, "--initialize-insecure");
    }

    @Override
    public List<String> run(Path data, Path pidFile, int port) {
        return program(
                "--datadir=" + data,
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + data.resolve("socket"),
                "--pid-file=" + pidFile,
                "--innodb-flush-log-at-trx-commit=1");
    }

    private List<String> program(String... options) {
        List<String> command = new ArrayList<>(List.of(
                home.resolve("bin/mysqld").toString(),
                "--no-defaults",
                "--basedir=" + home,
                "--lc-messages-dir=" + home.resolve("share"),
                "--mysqlx=OFF"));
        command.addAll(List.of(options));
        return command;
    }

    /** With the setting that operations.md recommends. */
    @Override
    public String url(int port) {
        return "jdbc:mysql://127.0.0.1:" + port + "/mysql?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true"
                + "&rewriteBatchedStatements=true";
    }
}
