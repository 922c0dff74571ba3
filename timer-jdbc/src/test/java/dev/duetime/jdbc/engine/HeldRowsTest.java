package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.CancelResult;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that rows which cannot be settled now delay no others: another transaction holds them, or the database
 * refuses the outcome.
 */
class HeldRowsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final TimerKey HELD = TimerKey.of("tenant-0", "held");

    /** Selects by the whole key, because MariaDB locks every row that it examines. */
    private static String hold(String tenantId, String scope) {
        return "UPDATE timer_schedules SET priority = priority + 1 WHERE tenant_id = '" + tenantId
                + "' AND timer_id = 'held' AND scope = '" + scope + "'";
    }

    private static TimerKit kit(HikariDataSource pool) {
        return TimerKit.builder().store(JdbcScheduleStore.of(pool)).build();
    }

    /** Timers of ten other tenants, due at the same time. */
    private static List<TimerKey> others() {
        return IntStream.rangeClosed(1, 10)
                .mapToObj(i -> TimerKey.of("tenant-" + i, "other"))
                .toList();
    }

    private static void schedule(TimerKit kit) {
        kit.scheduler().schedule(Timer.after(HELD, SECOND).build());
        others().forEach(
                        key -> kit.scheduler().schedule(Timer.after(key, SECOND).build()));
    }

    private static TimerState state(TimerKit kit, TimerKey key) {
        return kit.store().find(key).orElseThrow().state();
    }

    private static long deliveries(TimerKit kit, TimerKey key) {
        return kit.delivered().stream().filter(each -> each.key().equals(key)).count();
    }

    /** SQLite has only one writer, for all queues together. */
    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aTransactionThatHoldsADueRowDelaysNoOther(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool);
                Connection holder = pool.getConnection()) {
            schedule(kit);
            holder.setAutoCommit(false);
            try (Statement statement = holder.createStatement()) {
                statement.execute(hold("tenant-0", ""));
            }

            kit.advance(SECOND.multipliedBy(10));

            assertThat(others()).extracting(key -> state(kit, key)).containsOnly(TimerState.REACHED);
            assertThat(state(kit, HELD)).isEqualTo(TimerState.SCHEDULED);
            assertThat(deliveries(kit, HELD)).isEqualTo(1);
            assertThat(kit.scheduler().admin().health().queues().get(0).storeOutage())
                    .isNull();

            holder.rollback();
            kit.advance(SECOND.multipliedBy(2));

            assertThat(state(kit, HELD)).isEqualTo(TimerState.REACHED);
            assertThat(deliveries(kit, HELD)).isEqualTo(1);
            assertThat(kit.scheduler().admin().health().queues().get(0).inDelivery())
                    .isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aRowThatItsHolderReschedulesIsDeliveredAgain(Database kind) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool);
                Connection holder = pool.getConnection()) {
            schedule(kit);
            holder.setAutoCommit(false);
            kit.scheduler()
                    .in(JdbcTransaction.of(holder))
                    .schedule(Timer.after(HELD, SECOND.multipliedBy(30))
                            .payload("\"later\"")
                            .build());
            kit.advance(SECOND.multipliedBy(10));
            assertThat(deliveries(kit, HELD)).isEqualTo(1);

            holder.commit();
            kit.advance(SECOND.multipliedBy(40));

            assertThat(deliveries(kit, HELD)).isEqualTo(2);
            assertThat(state(kit, HELD)).isEqualTo(TimerState.REACHED);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aTransactionThatHoldsATodoDelaysNoOther(Database kind) throws SQLException {
        List<String> ran = new ArrayList<>();
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    ran.add(todo.id());
                    return Outcome.complete();
                })
                .build();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = TimerKit.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .configure(settings -> settings.todoQueue(queue))
                        .build();
                Connection holder = pool.getConnection()) {
            queue.enqueue(NewTodo.of("job", "p").id("held"));
            IntStream.range(0, 10)
                    .forEach(i -> queue.enqueue(NewTodo.of("job", "p").id("other-" + i)));
            holder.setAutoCommit(false);
            try (Statement statement = holder.createStatement()) {
                statement.execute(hold("default", "work"));
            }

            kit.advance(SECOND.multipliedBy(10));

            assertThat(ran).hasSize(11).doesNotHaveDuplicates();
            assertThat(JdbcPart.rows(pool, "SELECT timer_id FROM timer_schedules WHERE state = 'SCHEDULED'"))
                    .containsExactly("held");

            holder.rollback();
            kit.advance(SECOND.multipliedBy(2));

            assertThat(JdbcPart.rows(pool, "SELECT timer_id FROM timer_schedules WHERE state = 'SCHEDULED'"))
                    .isEmpty();
            assertThat(ran).hasSize(11);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRowThatTheDatabaseRefusesToSettleDelaysNoOther(Database kind) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                TimerKit kit = kit(pool)) {
            schedule(kit);
            JdbcPart.execute(pool, kind.refusingToEnd("held"));

            kit.advance(SECOND.multipliedBy(10));

            assertThat(others()).extracting(key -> state(kit, key)).containsOnly(TimerState.REACHED);
            assertThat(state(kit, HELD)).isEqualTo(TimerState.SCHEDULED);
            assertThat(deliveries(kit, HELD)).isEqualTo(1);
            assertThat(kit.scheduler().admin().health().queues().get(0).storeOutage())
                    .isNull();

            kit.scheduler().schedule(Timer.after("next", SECOND).build());
            assertThat(kit.scheduler().cancel(TimerKey.of("next"))).isEqualTo(CancelResult.CANCELLED);
            JdbcPart.execute(pool, kind.refusingNoMore());
            kit.advance(Duration.ofMinutes(2));

            assertThat(state(kit, HELD)).isEqualTo(TimerState.REACHED);
            assertThat(deliveries(kit, HELD)).isEqualTo(1);
        }
    }
}
