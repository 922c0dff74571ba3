package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A backlog of the largest payloads is delivered by a node with little memory, at the default batch of 500. */
class HeavyBacklogTest {

    @ParameterizedTest
    @EnumSource
    void payloadsOfAMebibyteFitIntoASmallHeap(Database kind, @TempDir Path folder)
            throws IOException, InterruptedException {
        assumeThat(kind == Database.POSTGRESQL || Boolean.getBoolean("duetime.heavy"))
                .as("-Dduetime.heavy=true runs it on all databases, 20 s each")
                .isTrue();
        try (FreshDatabases databases = kind.open()) {
            String url = kind == Database.H2 ? "jdbc:h2:file:" + folder.resolve("heavy") : databases.create();
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+ExitOnOutOfMemoryError",
                            "-cp",
                            System.getProperty("java.class.path"),
                            HeavyBacklogProcess.class.getName(),
                            url)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.to(folder.resolve("out").toFile()))
                    .start();
            try {
                assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
                assertThat(process.exitValue()).isZero();
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
