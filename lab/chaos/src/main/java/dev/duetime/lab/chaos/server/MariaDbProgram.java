package dev.duetime.lab.chaos.server;

import java.nio.file.Path;
import java.util.List;

/** The MariaDB that is installed on this machine. */
final class MariaDbProgram implements ServerProgram {

    @Override
    public String user() {
        return "mysql";
    }

    @Override
    public List<String> install(Path data) {
        return List.of(
                "mariadb-install-db",
                "--no-defaults",
                "--datadir=" + data,
                "--auth-root-authentication-method=normal",
                "--skip-test-db");
    }

    /** The shell finds the program, because {@code sbin} is not in the search path of every user. */
    @Override
    public List<String> run(Path data, Path pidFile, int port) {
        return List.of(
                "sh",
                "-c",
                "PATH=$PATH:/usr/sbin:/usr/libexec; exec mariadbd \"$@\"",
                "mariadbd",
                "--no-defaults",
                "--datadir=" + data,
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + data.resolve("socket"),
                "--pid-file=" + pidFile,
                "--innodb-flush-log-at-trx-commit=1");
    }

    @Override
    public String url(int port) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/mysql?user=root&sslMode=disable";
    }
}
