package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.ScheduleOutcome;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.QueuePause;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.store.CollisionException;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.LockedException;
import dev.duetime.store.NewTimer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that loops leave a row that another transaction holds, write the other rows, and never wait for it without a
 * limit. SQLite has only one writer, so it has no such rows.
 */
@Execution(ExecutionMode.CONCURRENT)
class HeldRowsOfLoopsTest extends HeldRowKit {
    private static NewTimer timer(String id) {
        TimerContent content = new TimerContent(
                "queue",
                NOW,
                NOW.plusMillis(1),
                "type",
                Payload.of("{}".getBytes(StandardCharsets.UTF_8)),
                Map.of(),
                0,
                null,
                null,
                null,
                null,
                null,
                null);
        return new NewTimer(TimerKey.of("tenant", id), 0, content, id.hashCode(), NOW, false);
    }

    private static List<NewTimer> timers() {
        return IntStream.range(0, 4).mapToObj(i -> timer("t" + i)).toList();
    }

    private static void hold(Statement holder, String timerId) throws SQLException {
        holder.execute("UPDATE timer_schedules SET priority = priority + 1 WHERE tenant_id = 'tenant'"
                + " AND timer_id = '" + timerId + "' AND scope = ''");
    }

    @ParameterizedTest
    @EnumSource(names = "POSTGRESQL")
    void expiredTimersEndBesideAHeldOne(Database kind) throws SQLException {
        with(kind, (store, pool, holder) -> {
            store.schedule(timers());
            hold(holder, "t1");

            assertThat(ended(() -> store.expire("queue", 0, LATER, true, 2))).isEqualTo(Map.of("type", 2));
            assertThat(ended(() -> store.expire("queue", 0, LATER, false, 1_000)))
                    .isEqualTo(Map.of("type", 1));
            assertThat(ended(() -> store.expire("queue", 0, LATER, true, 1_000)))
                    .isEmpty();

            holder.getConnection().rollback();
            assertThat(store.expire("queue", 0, LATER, true, 1_000)).isEqualTo(Map.of("type", 1));
        });
    }

    /** The deletion passes over held rows; a lock of the whole table only delays it. */
    @ParameterizedTest
    @EnumSource(names = "POSTGRESQL")
    void aLockedTableDelaysTheDeletion(Database kind) throws SQLException {
        with(kind, (store, pool, holder) -> {
            store.schedule(timers());
            assertThat(store.expire("queue", 0, LATER, true, 1_000)).isEqualTo(Map.of("type", 4));
            holder.execute("LOCK TABLE timer_schedules IN SHARE MODE");

            assertThat(ended(() -> store.purge("queue", LATER.plusSeconds(1), 1_000)))
                    .isZero();

            holder.getConnection().rollback();
            assertThat(store.purge("queue", LATER.plusSeconds(1), 1_000)).isEqualTo(4);
        });
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aHeldTodoIsNotStarted(Database kind) throws SQLException {
        with(kind, (store, pool, holder) -> {
            store.schedule(timers());
            hold(holder, "t1");

            assertThat(failure(() -> store.start(timer("t1").key(), timer("t1").generation(), NOW)))
                    .isInstanceOf(LockedException.class);
            assertThat(ended(() -> store.start(timer("t2").key(), timer("t2").generation(), NOW)))
                    .isTrue();

            holder.getConnection().rollback();
            assertThat(store.start(timer("t1").key(), timer("t1").generation(), NOW))
                    .isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void anOperatorWaitsForAHeldRowBriefly(Database kind) throws SQLException {
        with(kind, (store, pool, holder) -> {
            store.schedule(timers());
            hold(holder, "t1");
            holder.execute("INSERT INTO timer_pauses (queue, paused_at, paused_by) VALUES ('queue', 1, 'other')");
            var all = store.admin()
                    .versions(TimerQuery.all().state(TimerState.SCHEDULED), null)
                    .timers();

            assertThat(failure(() -> store.admin().cancel(all, NOW))).isInstanceOf(CollisionException.class);
            assertThat(failure(() -> store.admin().pause("queue", new QueuePause(NOW, "node"))))
                    .isInstanceOf(CollisionException.class);

            holder.getConnection().rollback();
            assertThat(store.admin().cancel(all, NOW)).isEqualTo(4);
            assertThat(store.admin().pause("queue", new QueuePause(NOW, "node")))
                    .isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aHeldItemOfAToDoListIsWaitedForBriefly(Database kind) throws SQLException {
        with(kind, (store, pool, holder) -> {
            ListItem held = new ListItem(new ListKey("list", "held"), NOW);
            store.todos().put(List.of(held));
            holder.execute("UPDATE timer_todo_items SET overdue_at = 1 WHERE list = 'list' AND item_id = 'held'");

            assertThat(failure(() -> {
                        store.todos().put(List.of(new ListItem(held.key(), LATER)));
                        return true;
                    }))
                    .isInstanceOf(CollisionException.class);
            assertThat(failure(() -> store.todos().remove(List.of(held.key())))).isInstanceOf(CollisionException.class);

            holder.getConnection().rollback();
            assertThat(store.todos().remove(List.of(held.key()))).isEqualTo(1);
        });
    }

    /** A search of a REPEATABLE READ transaction, the default there, locks the gaps between keys. */
    @Test
    void aGapThatAnotherTransactionHoldsIsWaitedForBriefly() throws SQLException {
        with(Database.MARIADB, (store, pool, holder) -> {
            holder.executeQuery("SELECT * FROM timer_schedules WHERE tenant_id = 'tenant' FOR UPDATE")
                    .close();

            for (int rows : new int[] {1, 4, 200}) {
                List<NewTimer> given =
                        IntStream.range(0, rows).mapToObj(i -> timer("g" + i)).toList();
                assertThat(failure(() -> store.schedule(given))).isInstanceOf(CollisionException.class);
                assertThat(failure(() -> store.scheduleShared(given))).isInstanceOf(CollisionException.class);
            }
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);

            holder.getConnection().rollback();
            assertThat(store.schedule(List.of(timer("g0"))).get(0).outcome()).isEqualTo(ScheduleOutcome.CREATED);
            assertThat(JdbcPart.rows(pool, "SELECT @@SESSION.innodb_lock_wait_timeout"))
                    .containsExactly("50");
        });
    }
}
