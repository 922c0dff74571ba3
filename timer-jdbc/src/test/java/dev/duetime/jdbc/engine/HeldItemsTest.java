package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todolist.OverdueHandler.Verdict;
import dev.duetime.todolist.TodoList;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that an item which another transaction holds delays no other item of its to-do list. */
@Execution(ExecutionMode.CONCURRENT)
class HeldItemsTest {
    /** Longer than the test: a tick that waits like a caller fails the test. */
    private static final Duration LONGER_THAN_A_TEST = Duration.ofMinutes(10);

    private static final long LIMIT_SECONDS = 20;

    private final List<String> handled = new CopyOnWriteArrayList<>();

    private void tick(TodoList<String> list, Instant now) {
        CompletableFuture.runAsync(() -> {
                    try {
                        list.onTick(now, (id, at) -> {
                            handled.add(id);
                            return Verdict.DONE;
                        });
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                })
                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aHeldItemStaysAndTheOthersAreClosed(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.builder(pool)
                                .lockTimeout(LONGER_THAN_A_TEST)
                                .build())
                        .build();
                Connection holder = pool.getConnection()) {
            TodoList<String> list = TodoList.of("orders");
            list.attach(kit.scheduler());
            List.of("a", "b", "c").forEach(id -> list.add(id, kit.now().plusSeconds(id.charAt(0))));
            Instant now = kit.now().plusSeconds(1_000);
            holder.setAutoCommit(false);
            try (Statement statement = holder.createStatement()) {
                statement.execute(
                        "UPDATE timer_todo_items SET overdue_at = overdue_at + 0 WHERE list = 'orders' AND item_id = 'a'");
            }

            tick(list, now);
            assertThat(handled).containsExactly("a", "b", "c");
            assertThat(list.overdue(now)).containsExactly("a");

            holder.rollback();
            tick(list, now);
            assertThat(list.overdue(now)).isEmpty();
        }
    }

    /** A transaction that ends while the tick runs delays nothing to the next tick. */
    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void anItemThatIsReleasedDuringTheTickIsClosedByIt(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit =
                        TimerKit.builder().store(JdbcScheduleStore.of(pool)).build();
                Connection holder = pool.getConnection()) {
            TodoList<String> list = TodoList.of("orders");
            list.attach(kit.scheduler());
            list.add("a", kit.now());
            list.add("b", kit.now().plusSeconds(1));
            Instant now = kit.now().plusSeconds(2);
            holder.setAutoCommit(false);
            try (Statement statement = holder.createStatement()) {
                statement.execute(
                        "UPDATE timer_todo_items SET overdue_at = overdue_at + 0 WHERE list = 'orders' AND item_id = 'a'");
            }

            try {
                list.onTick(now, (id, at) -> {
                    handled.add(id);
                    if (id.equals("b")) {
                        holder.rollback();
                    }
                    return Verdict.DONE;
                });
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }

            assertThat(handled).containsExactly("a", "b");
            assertThat(list.overdue(now)).isEmpty();
        }
    }
}
