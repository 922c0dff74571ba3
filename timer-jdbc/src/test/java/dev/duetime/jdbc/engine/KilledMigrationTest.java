package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that the next start completes if the process of a first start is killed at any of its statements. On each
 * database processes are killed at every fifth statement, beginning with another one. That a start may be cut at each
 * statement of each database is part of the contract, without processes.
 */
@Tag("full")
class KilledMigrationTest {
    private static final int STEP = Database.values().length;

    /** With fewer processes, some would not have been killed inside the migrations and Flyway. */
    private static final int FEWEST = 3;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void theStartAfterAKilledOneCompletes(Database kind) throws IOException, InterruptedException {
        try (FreshDatabases databases = kind.open()) {
            int processes = 0;
            boolean killed = true;
            for (int number = 1 + List.of(Database.values()).indexOf(kind); killed; number += STEP) {
                String url =
                        kind == Database.H2 ? "jdbc:h2:file:" + folder.resolve("killed-" + number) : databases.create();

                killed = isKilledAt(number, url);
                processes++;

                try (HikariDataSource pool = FreshDatabases.pool(url);
                        Scheduler scheduler = Scheduler.builder()
                                .store(JdbcScheduleStore.of(pool))
                                .build()) {
                    assertThat(scheduler
                                    .schedule(Timer.after("a", Duration.ofHours(1))
                                            .build())
                                    .outcome())
                            .as("after statement %d", number)
                            .isEqualTo(ScheduleOutcome.CREATED);
                    assertThat(scheduler.admin().pause("default")).isTrue();
                }
            }
            assertThat(processes).isGreaterThan(FEWEST);
        }
    }

    /** Kills a first start while it runs one of its statements; returns false if it has fewer. */
    private static boolean isKilledAt(int number, String url) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MigratingProcess.class.getName(),
                        url,
                        Integer.toString(number))
                .redirectError(Redirect.DISCARD)
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = output.readLine();
            while (!MigratingProcess.BEGINS.equals(line) && !MigratingProcess.OPENED.equals(line)) {
                assertThat(line).as("the process ended by itself").isNotNull();
                line = output.readLine();
            }
            return line.equals(MigratingProcess.BEGINS);
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
    }
}
