package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A backlog of the largest payloads, or of the largest headers, is delivered by a node with little memory, at the
 * default batch of 500.
 */
@Tag("full")
class HeavyBacklogTest {
    /** H2 reads whole rows to know their lengths. With the largest headers that takes a minute, or more under load. */
    private static final int LIMIT_MINUTES = 5;

    /** H2 needs several times the size of a transaction, and closes its file if there is no memory for that. */
    @Test
    void payloadsOfAMebibyteFitIntoATinyHeapWithH2(@TempDir Path folder) throws IOException, InterruptedException {
        deliver(Database.H2, folder, "-Xmx96m", HeavyBacklogProcess.class);
    }

    @ParameterizedTest
    @EnumSource
    void payloadsOfAMebibyteFitIntoASmallHeap(Database kind, @TempDir Path folder)
            throws IOException, InterruptedException {
        deliver(kind, folder, "-Xmx256m", HeavyBacklogProcess.class);
    }

    /** As many as one batch of headers that no read of 8 MiB could hold. */
    @ParameterizedTest
    @EnumSource
    void theMostAndLongestHeadersFitIntoASmallHeap(Database kind, @TempDir Path folder)
            throws IOException, InterruptedException {
        deliver(kind, folder, "-Xmx256m", HeavyBacklogProcess.class, "headers");
    }

    /** H2 keeps its pages in the same heap. Each row of a page has a large payload then. */
    @ParameterizedTest
    @EnumSource
    void payloadsOfNextStepsFitIntoASmallHeap(Database kind, @TempDir Path folder)
            throws IOException, InterruptedException {
        deliver(kind, folder, kind == Database.H2 ? "-Xmx512m" : "-Xmx128m", HeavyStepsProcess.class);
    }

    @Test
    void payloadsOfTwentyPublishersFitIntoASmallHeap(@TempDir Path folder) throws IOException, InterruptedException {
        deliver(Database.POSTGRESQL, folder, "-Xmx256m", HeavyQueuesProcess.class);
    }

    @Test
    void payloadsOfTwentyTodoQueuesFitIntoASmallHeap(@TempDir Path folder) throws IOException, InterruptedException {
        deliver(Database.POSTGRESQL, folder, "-Xmx256m", HeavyQueuesProcess.class, "handlers");
    }

    private static void deliver(Database kind, Path folder, String heap, Class<?> program, String... more)
            throws IOException, InterruptedException {
        try (FreshDatabases databases = kind.open()) {
            String url = kind == Database.H2 ? "jdbc:h2:file:" + folder.resolve("heavy") : databases.create();
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    heap,
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-cp",
                    System.getProperty("java.class.path"),
                    program.getName(),
                    url));
            command.addAll(List.of(more));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.to(folder.resolve("out").toFile()))
                    .start();
            try {
                assertThat(process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)).isTrue();
                assertThat(process.exitValue()).isZero();
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
