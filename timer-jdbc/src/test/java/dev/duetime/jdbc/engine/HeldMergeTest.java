package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a handler which merges into what another transaction holds keeps no worker from other todos. */
class HeldMergeTest {
    private static final int WORKERS = 4;
    private static final int MERGING = 2 * WORKERS;
    private static final String KEY = "post-1";

    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final List<Integer> sums = new CopyOnWriteArrayList<>();
    private final TodoQueue likes = TodoQueue.builder("likes")
            .type(
                    "count",
                    Integer.class,
                    (todo, run) -> {
                        sums.add(todo.payload());
                        return Outcome.complete();
                    },
                    type -> type.merge(Merge.collect(Integer::sum)))
            .build();
    private final TodoQueue work = TodoQueue.builder("work")
            .type("merging", String.class, (todo, run) -> {
                ran.add(todo.id());
                if (todo.payload().equals("joined")) {
                    run.transaction(JdbcTransaction.class);
                }
                like(run);
                return Outcome.complete();
            })
            .type("plain", String.class, (todo, run) -> {
                ran.add(todo.id());
                return Outcome.complete();
            })
            .workers(WORKERS)
            .build();

    private void like(TodoRun run) {
        likes.enqueue(like(), run);
    }

    private static NewTodo like() {
        return NewTodo.of("count", 1).correlationKey(KEY).startAfter(Duration.ofHours(1));
    }

    private TimerKit kit(HikariDataSource pool) {
        return TimerKit.builder()
                .store(JdbcScheduleStore.of(pool))
                .configure(settings -> settings.todoQueue(likes).todoQueue(work))
                .build();
    }

    /** Under REPEATABLE READ it would hold gaps, too, so that nobody could enqueue. */
    private void hold(Connection holder) throws SQLException {
        holder.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        holder.setAutoCommit(false);
        likes.in(JdbcTransaction.of(holder)).enqueue(like());
    }

    private void enqueue(String payload) {
        IntStream.range(0, MERGING)
                .forEach(i -> work.enqueue(NewTodo.of("merging", payload).id("merging-" + i)));
    }

    private long runs(String prefix) {
        return ran.stream().filter(each -> each.startsWith(prefix)).count();
    }

    /** SQLite has only one writer. */
    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aHeldCorrelationKeyDelaysNoOtherTodo(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool);
                Connection holder = pool.getConnection()) {
            hold(holder);
            enqueue("alone");
            kit.advance(Duration.ofSeconds(1));
            assertThat(runs("merging")).isEqualTo(MERGING);
            work.enqueue(NewTodo.of("plain", "p").id("plain"));

            kit.advance(Duration.ofSeconds(2));

            assertThat(runs("plain")).isEqualTo(1);

            holder.commit();
            kit.advance(Duration.ofSeconds(5));
            assertThat(kit.scheduler().admin().health().queues()).allMatch(queue -> queue.inDelivery() == 0);
            kit.advance(Duration.ofHours(1));

            assertThat(runs("merging")).isEqualTo(MERGING);
            assertThat(sums).containsExactly(MERGING + 1);
        }
    }

    /** Their runs are repeated, since what they wrote is rolled back. That costs no attempt. */
    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void handlersThatJoinedTheirTransactionRunAgain(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool);
                Connection holder = pool.getConnection()) {
            hold(holder);
            enqueue("joined");
            kit.advance(Duration.ofSeconds(1));
            work.enqueue(NewTodo.of("plain", "p").id("plain"));

            kit.advance(Duration.ofSeconds(6));

            assertThat(runs("plain")).isEqualTo(1);

            holder.commit();
            kit.advance(Duration.ofSeconds(10));

            assertThat(IntStream.range(0, MERGING)
                            .mapToObj(i -> kit.store()
                                    .find(work.key("merging-" + i))
                                    .orElseThrow()
                                    .attempt()))
                    .containsOnly(1);
            kit.advance(Duration.ofHours(1));
            assertThat(sums).containsExactly(MERGING + 1);
        }
    }
}
