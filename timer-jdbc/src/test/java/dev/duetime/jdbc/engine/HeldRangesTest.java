package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.CollisionException;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.LockedException;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.TimerKit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that a transaction which holds many rows, or a range of an index, delays a batch no longer than one that
 * holds a single row. MariaDB and H2 execute all statements of a batch, although one of them has failed.
 */
@Execution(ExecutionMode.CONCURRENT)
class HeldRangesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Instant NOW = Instant.parse("2031-05-06T08:00:00Z");

    /**
     * Longer than what is bounded takes beside other work, and shorter than 200 waits, one for each of the held rows:
     * each takes a quarter of a second or more.
     */
    private static final long LIMIT_SECONDS = 45;

    private static final int TIMERS = 200;

    @FunctionalInterface
    private interface Body {
        void run(HikariDataSource pool, Statement holder) throws SQLException;
    }

    /** Runs a test with a transaction that lasts until its end. */
    private static void with(Database kind, Body body) throws SQLException {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                Connection holder = pool.getConnection()) {
            JdbcScheduleStore.of(pool);
            holder.setAutoCommit(false);
            try (Statement statement = holder.createStatement()) {
                body.run(pool, statement);
            } finally {
                holder.rollback();
                holder.setAutoCommit(true);
            }
        }
    }

    private static <T> T soon(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, task -> {
                    Thread thread = new Thread(task);
                    thread.setDaemon(true);
                    thread.start();
                })
                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    private static void advance(TimerKit kit, Duration time) {
        soon(() -> {
            kit.advance(time);
            return true;
        });
    }

    private static List<TimerKey> keys(String tenant) {
        return IntStream.range(0, TIMERS)
                .mapToObj(i -> TimerKey.of(tenant, "t" + i))
                .toList();
    }

    private static void schedule(TimerKit kit, List<TimerKey> keys) {
        kit.scheduler()
                .scheduleAll(keys.stream()
                        .map(key -> Timer.after(key, SECOND).build())
                        .toList());
    }

    private static long count(TimerKit kit, List<TimerKey> keys, TimerState state) {
        return keys.stream()
                .filter(key -> kit.store().find(key).orElseThrow().state() == state)
                .count();
    }

    private static List<Settlement> outcomes(TimerKit kit, List<TimerKey> keys) {
        return keys.stream()
                .map(key -> kit.store().find(key).orElseThrow())
                .<Settlement>map(timer ->
                        new Settlement.Ended(timer.key(), timer.generation(), TimerState.REACHED, NOW, 0, null))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aTransactionThatHoldsManyDueRowsDelaysNoOther(Database kind) throws SQLException {
        with(kind, (pool, holder) -> {
            try (TimerKit kit =
                    TimerKit.builder().store(JdbcScheduleStore.of(pool)).build()) {
                schedule(kit, keys("held"));
                schedule(kit, keys("other"));
                // By the whole key: a search in the gaps between keys would also lock those.
                for (TimerKey key : keys("held")) {
                    holder.execute("UPDATE timer_schedules SET priority = 1 WHERE tenant_id = 'held' AND timer_id = '"
                            + key.timerId() + "' AND scope = ''");
                }

                advance(kit, SECOND.multipliedBy(3));

                assertThat(count(kit, keys("other"), TimerState.REACHED)).isEqualTo(TIMERS);
                assertThat(count(kit, keys("held"), TimerState.SCHEDULED)).isEqualTo(TIMERS);

                holder.getConnection().rollback();
                advance(kit, SECOND.multipliedBy(2));

                assertThat(count(kit, keys("held"), TimerState.REACHED)).isEqualTo(TIMERS);
                assertThat(kit.delivered()).hasSize(2 * TIMERS);
            }
        });
    }

    /**
     * A search of a REPEATABLE READ transaction, the default of MariaDB, locks the gaps of an index. MySQL waits for a
     * second at least, so there such a transaction does delay others (docs/semantics.md).
     */
    @ParameterizedTest
    @EnumSource(
            names = {"SQLITE", "MYSQL"},
            mode = EnumSource.Mode.EXCLUDE)
    void aTransactionThatHoldsARangeOfAnIndexDelaysNoTimerOutsideIt(Database kind) throws SQLException {
        with(kind, (pool, holder) -> {
            try (TimerKit kit = TimerKit.builder()
                    .store(JdbcScheduleStore.of(pool))
                    .configure(scheduler -> scheduler.shards(4))
                    .build()) {
                schedule(kit, keys("tenant"));
                holder.executeQuery("SELECT * FROM timer_schedules"
                                + (kind == Database.MARIADB ? " FORCE INDEX (timer_schedules_wake)" : "")
                                + " WHERE queue = 'default' AND shard = 1 AND state = 'REACHED' FOR UPDATE")
                        .close();

                advance(kit, SECOND.multipliedBy(3));

                assertThat(JdbcPart.rows(
                                pool, "SELECT count(*) FROM timer_schedules WHERE shard <> 1 AND state <> 'REACHED'"))
                        .containsExactly("0");

                holder.getConnection().rollback();
                advance(kit, SECOND.multipliedBy(2));

                assertThat(count(kit, keys("tenant"), TimerState.REACHED)).isEqualTo(TIMERS);
                assertThat(kit.delivered()).hasSize(TIMERS);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void outcomesInAHeldRangeAreSetAsideAtOnce(Database kind) throws SQLException {
        with(kind, (pool, holder) -> {
            try (TimerKit kit =
                    TimerKit.builder().store(JdbcScheduleStore.of(pool)).build()) {
                schedule(kit, keys("tenant"));
                List<Settlement> outcomes = outcomes(kit, keys("tenant"));
                holder.executeQuery("SELECT * FROM timer_schedules WHERE queue = 'default' FOR UPDATE")
                        .close();

                assertThat(soon(() -> isLocked(() -> kit.store().settle(outcomes))))
                        .isTrue();
                assertThat(soon(() -> kit.store().settleUnlocked(outcomes)).locked())
                        .containsExactlyInAnyOrderElementsOf(outcomes);

                holder.getConnection().rollback();
                assertThat(kit.store().settleUnlocked(outcomes).count()).isEqualTo(TIMERS);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void leasesOfAQueueWhoseRowsAreAllHeldAreLeftSoon(Database kind) throws SQLException {
        with(kind, (pool, holder) -> {
            JdbcScheduleStore store = JdbcScheduleStore.of(pool);
            List<Integer> shards = IntStream.range(0, 64).boxed().toList();
            Instant later = NOW.plusSeconds(10);
            store.leases().open("queue", OptionalInt.of(64));
            store.leases().open("other", OptionalInt.of(1));
            holder.executeQuery("SELECT * FROM timer_shards WHERE queue = 'queue' FOR UPDATE")
                    .close();

            assertThat(soon(() -> store.leases().acquire("queue", shards, "node", NOW, later)))
                    .isEmpty();
            assertThat(soon(() -> store.leases().acquire("other", List.of(0), "node", NOW, later)))
                    .isEqualTo(Set.of(0));
            assertThat(soon(() -> store.leases().renew("node", later.plusSeconds(1))))
                    .isEqualTo(1);
            soon(() -> {
                store.leases().release("queue", shards, "node");
                return true;
            });
            store.leases().letGo();
        });
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void callsForManyHeldItemsOfAToDoListEndInTime(Database kind) throws SQLException {
        with(kind, (pool, holder) -> {
            JdbcScheduleStore store = JdbcScheduleStore.builder(pool)
                    .lockTimeout(Duration.ofMillis(300))
                    .build();
            List<ListItem> items = IntStream.range(0, TIMERS)
                    .mapToObj(i -> new ListItem(new ListKey("list", "i" + i), NOW))
                    .toList();
            store.todos().put(items);
            holder.executeQuery("SELECT * FROM timer_todo_items FOR UPDATE").close();

            assertThat(soon(() -> isLocked(() -> store.todos().put(items)))).isTrue();
            assertThat(soon(() -> isLocked(() -> store.todos().removeUnmoved(items))))
                    .isTrue();
        });
    }

    private static boolean isLocked(Runnable call) {
        try {
            call.run();
            return false;
        } catch (CollisionException | LockedException e) {
            return true;
        }
    }
}
