package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A backlog of the largest payloads is delivered by a node with little memory, at the default batch of 500. */
class HeavyBacklogTest {

    @Test
    void payloadsOfAMebibyteFitIntoASmallHeapOnPostgres(@TempDir Path folder) throws IOException, InterruptedException {
        deliver(Database.POSTGRESQL, folder, "-Xmx256m");
    }

    /** H2 needs several times the size of a transaction, and closes its file if there is no memory for that. */
    @Tag("full")
    @Test
    void payloadsOfAMebibyteFitIntoATinyHeapWithH2(@TempDir Path folder) throws IOException, InterruptedException {
        deliver(Database.H2, folder, "-Xmx96m");
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POSTGRESQL")
    void payloadsOfAMebibyteFitIntoASmallHeap(Database kind, @TempDir Path folder)
            throws IOException, InterruptedException {
        deliver(kind, folder, "-Xmx256m");
    }

    private static void deliver(Database kind, Path folder, String heap) throws IOException, InterruptedException {
        try (FreshDatabases databases = kind.open()) {
            String url = kind == Database.H2 ? "jdbc:h2:file:" + folder.resolve("heavy") : databases.create();
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            heap,
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
