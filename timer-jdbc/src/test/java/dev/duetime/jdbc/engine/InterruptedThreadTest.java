package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rule that an embedded H2 survives threads whose interrupt flag is set: H2 would close its file. */
class InterruptedThreadTest {
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

    @Test
    void anEmbeddedDatabaseSurvivesACallerWhoseThreadIsInterrupted() {
        TodoQueue likes = TodoQueue.builder("likes")
                .type(
                        "count",
                        Integer.class,
                        (todo, run) -> Outcome.complete(),
                        type -> type.merge(Merge.collect(Integer::sum)))
                .build();
        try (HikariDataSource pool = FreshDatabases.pool("jdbc:h2:file:" + folder.resolve("todos"));
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .configure(settings -> settings.todoQueue(likes))
                        .build()) {
            Thread.currentThread().interrupt();
            try {
                for (int i = 0; i < 3; i++) {
                    likes.enqueue(NewTodo.of("count", 1).correlationKey("post").startAfter(Duration.ofDays(1)));
                }
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }

            assertThat(kit.scheduler()
                            .schedule(Timer.after("a", Duration.ZERO).build())
                            .outcome())
                    .isEqualTo(ScheduleOutcome.CREATED);
        }
    }
}
