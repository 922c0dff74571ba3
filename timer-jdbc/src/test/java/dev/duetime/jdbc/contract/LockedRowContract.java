package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.jdbc.database.DataSourceDecorator;
import dev.duetime.store.NewTimer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The rule that a row which another transaction holds does not affect calls for other keys. */
abstract class LockedRowContract extends LockWaitContract {
    private static final Duration LONG = Duration.ofMinutes(10);

    LockedRowContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    @Test
    void aCallWaitsForItsOwnKeyOnly() throws SQLException {
        store().schedule(List.of(timer("held", "before")));
        Scheduler scheduler = scheduler(waiting(pool(4), LONG));
        Connection holder = hold("held");
        CompletableFuture<ScheduleResult> waits = begin(() -> scheduler.schedule(laterTimer("held", "after")));
        List<CompletableFuture<ScheduleResult>> others = new ArrayList<>();
        List<CompletableFuture<ScheduleResult>> sameKey = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String id = "other" + i;
            others.add(begin(() -> scheduler.schedule(laterTimer(id, "x"))));
            if (i % 10 == 0) {
                sameKey.add(begin(() -> scheduler.schedule(laterTimer("held", "after"))));
            }
        }

        others.forEach(each -> assertThat(ended(each).outcome()).isEqualTo(ScheduleOutcome.CREATED));
        assertThat(waits).isNotDone();
        assertThat(sameKey).noneMatch(CompletableFuture::isDone);
        release(holder);
        assertThat(sameKey)
                .allSatisfy(each ->
                        assertThat(ended(each).outcome()).isIn(ScheduleOutcome.RESCHEDULED, ScheduleOutcome.UNCHANGED));
        ended(waits);
    }

    @Test
    void anUncommittedNewRowDelaysNoOtherKey() throws SQLException {
        Scheduler scheduler = scheduler(waiting(pool(4), LONG));
        Connection holder = hold("m");
        CompletableFuture<ScheduleResult> waits = begin(() -> scheduler.schedule(laterTimer("m", "after")));
        List<CompletableFuture<ScheduleResult>> others = new ArrayList<>();
        for (String id : List.of("a", "l", "n", "z")) {
            others.add(begin(() -> scheduler.schedule(laterTimer(id, "x"))));
        }

        others.forEach(each -> assertThat(ended(each).outcome()).isEqualTo(ScheduleOutcome.CREATED));
        assertThat(waits).isNotDone();
        release(holder);
        assertThat(ended(waits).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);
    }

    @Test
    void waitingCallsHoldNoConnectionOfAPoolOfTwo() throws SQLException {
        List<NewTimer> rows = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            rows.add(timer("held" + i, "before"));
        }
        store().schedule(rows);
        HikariDataSource pool = pool(2);
        Scheduler scheduler = scheduler(waiting(pool, LONG));
        List<Connection> held = new ArrayList<>();
        List<CompletableFuture<?>> waits = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String scheduled = "held" + 2 * i;
            String cancelled = "held" + (2 * i + 1);
            held.add(hold(scheduled));
            held.add(hold(cancelled));
            waits.add(begin(() -> scheduler.schedule(laterTimer(scheduled, "after"))));
            waits.add(begin(() -> scheduler.cancel(key(cancelled))));
        }

        for (int i = 0; i < 20; i++) {
            String id = "other" + i;
            ended(begin(() -> scheduler.schedule(laterTimer(id, "x"))));
            assertThat(ended(begin(() -> scheduler.cancel(key(id))))).isEqualTo(CancelResult.CANCELLED);
        }
        assertThat(waits).noneMatch(CompletableFuture::isDone);
        for (Connection each : held) {
            release(each);
        }
        waits.forEach(LockWaitContract::ended);
    }

    @Test
    void aHolderMayScheduleOutsideItsTransactionBeforeItCommits() throws SQLException {
        store().schedule(List.of(timer("held", "before")));
        Scheduler scheduler = scheduler(waiting(pool(4), LONG));
        CompletableFuture<Boolean> holds = new CompletableFuture<>();
        CompletableFuture<Boolean> othersWait = new CompletableFuture<>();
        CompletableFuture<ScheduleResult> holder = begin(() -> {
            Connection transaction = hold("held");
            holds.complete(true);
            ended(othersWait);
            ScheduleResult outside = scheduler.schedule(laterTimer("outside", "x"));
            release(transaction);
            return outside;
        });
        ended(holds);
        CompletableFuture<ScheduleResult> waits = begin(() -> {
            othersWait.complete(true);
            return scheduler.schedule(laterTimer("held", "after"));
        });

        assertThat(ended(holder).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(ended(waits).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);
    }

    @Test
    void batchesOfSeveralTimersWaitForTheirOwnKeysOnly() throws SQLException {
        store().schedule(List.of(timer("held", "before")));
        Scheduler scheduler = scheduler(waiting(pool(4), LONG));
        Connection holder = hold("held");
        CompletableFuture<List<ScheduleResult>> waits =
                begin(() -> scheduler.scheduleAll(List.of(laterTimer("a", "x"), laterTimer("held", "after"))));
        List<CompletableFuture<List<ScheduleResult>>> others = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String id = "other" + i;
            others.add(begin(() -> scheduler.scheduleAll(List.of(laterTimer(id, "x"), laterTimer("zz" + id, "x")))));
        }

        others.forEach(each -> assertThat(ended(each)).hasSize(2));
        assertThat(waits).isNotDone();
        assertThat(store().find(key("a"))).isEmpty();
        release(holder);
        assertThat(ended(waits))
                .extracting(ScheduleResult::outcome)
                .containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.RESCHEDULED);
    }

    /** Counts how often each thread took a connection, which is once a try. */
    private static final class Tries extends DataSourceDecorator {
        final Map<Thread, Integer> ofThread = new ConcurrentHashMap<>();

        Tries(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            ofThread.merge(Thread.currentThread(), 1, Integer::sum);
            return super.getConnection();
        }

        int sum() {
            return ofThread.values().stream().mapToInt(each -> each).sum();
        }

        void await(Thread thread, int count) {
            while (ofThread.getOrDefault(thread, 0) < count) {
                Thread.onSpinWait();
            }
        }
    }

    /** Each call of the crowd has met the lock, and waits to try again. */
    @Test
    void aCrowdAtAHeldRowDelaysNoCallForAnotherRow() throws SQLException {
        store().schedule(List.of(timer("held", "before"), timer("other", "before")));
        Tries tries = new Tries(pool(4));
        Scheduler scheduler = scheduler(
                database.builder(tries).migrate(false).lockTimeout(LONG).build());
        Connection holder = hold("held");
        List<CompletableFuture<ScheduleResult>> crowd = new ArrayList<>();
        List<CompletableFuture<Thread>> threads = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            threads.add(thread);
            crowd.add(begin(() -> {
                thread.complete(Thread.currentThread());
                return scheduler.schedule(laterTimer("held", "after"));
            }));
        }
        threads.forEach(each -> tries.await(ended(each), 1));
        Connection brief = hold("other");
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<ScheduleResult> other = begin(() -> {
            thread.complete(Thread.currentThread());
            return scheduler.schedule(laterTimer("other", "after"));
        });
        tries.await(ended(thread), 2);
        int before = tries.sum();
        release(brief);

        assertThat(ended(other).outcome()).isEqualTo(ScheduleOutcome.RESCHEDULED);

        assertThat(tries.sum() - before).as("tries meanwhile").isLessThan(20);
        assertThat(crowd).noneMatch(CompletableFuture::isDone);
        release(holder);
        crowd.forEach(LockWaitContract::ended);
    }
}
