package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.FreshDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rule that an embedded H2 survives user code that leaves the interrupt flag set: H2 would close its file. */
class InterruptedPublisherTest {
    @TempDir
    Path folder;

    @Test
    void anEmbeddedDatabaseSurvivesAPublisherThatLeavesTheInterruptFlagSet() throws InterruptedException {
        BlockingQueue<String> delivered = new LinkedBlockingQueue<>();
        try (HikariDataSource pool = FreshDatabases.pool("jdbc:h2:file:" + folder.resolve("timers"));
                Scheduler scheduler = Scheduler.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .publisher(batch -> {
                            batch.forEach(each -> delivered.add(each.key().timerId()));
                            Thread.currentThread().interrupt();
                        })
                        .build()) {
            scheduler.start();
            for (String id : Set.of("a", "b", "c")) {
                scheduler.schedule(Timer.after(id, Duration.ZERO).build());
                assertThat(delivered.poll(20, TimeUnit.SECONDS)).isEqualTo(id);
            }
        }
    }
}
