package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.store.NewTimer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What MariaDB and MySQL promise about the gaps between keys, which a transaction at REPEATABLE READ may lock. */
abstract class HeldGapContract extends LockWaitContract {
    private static final Duration SHORT = Duration.ofMillis(200);

    HeldGapContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    private interface Body {
        void run(Connection caller) throws SQLException;
    }

    /** Runs a test with a transaction at the isolation level of the database. */
    private void inTransaction(Body body) throws SQLException {
        try (Connection caller = database.dataSource().getConnection()) {
            caller.setAutoCommit(false);
            try {
                body.run(caller);
            } finally {
                caller.rollback();
                caller.setAutoCommit(true);
            }
        }
    }

    @Test
    void aCancellationOfAKeyWithoutATimerHoldsUpNoKey() throws SQLException {
        store().schedule(List.of(timer("a", "x"), timer("z", "x")));
        Scheduler scheduler = scheduler(waiting(pool(4), SHORT));
        inTransaction(caller -> {
            assertThat(store().in(JdbcTransaction.of(caller)).cancel(key("m"), NOW))
                    .isEqualTo(CancelResult.NOT_FOUND);

            for (String id : List.of("l", "m", "n")) {
                assertThat(ended(begin(() -> scheduler.schedule(laterTimer(id, "x"))))
                                .outcome())
                        .isEqualTo(ScheduleOutcome.CREATED);
            }
            assertThat(rows(database.dataSource(), "SELECT timer_id FROM timer_schedules WHERE queue = ''"))
                    .isEmpty();
        });
    }

    @Test
    void aCallerWithAnOldSnapshotCancelsATimerThatItDoesNotSee() throws SQLException {
        NewTimer unseen = timer("unseen", "x");
        inTransaction(caller -> {
            assertThat(store().in(JdbcTransaction.of(caller)).find(unseen.key()))
                    .isEmpty();
            store().schedule(List.of(unseen));
            assertThat(store().in(JdbcTransaction.of(caller)).find(unseen.key()))
                    .isEmpty();

            assertThat(store().in(JdbcTransaction.of(caller)).cancel(unseen.key(), NOW))
                    .isEqualTo(CancelResult.CANCELLED);
            caller.commit();
        });
        assertThat(store().find(unseen.key()).orElseThrow().state()).isEqualTo(TimerState.CANCELLED);
    }

    @Test
    void aCallerWithoutSavepointsCancelsATimerThatItDoesNotSee() throws SQLException {
        NewTimer unseen = timer("unseen", "x");
        inTransaction(caller -> {
            assertThat(store().in(JdbcTransaction.of(caller)).find(unseen.key()))
                    .isEmpty();
            store().schedule(List.of(unseen));

            assertThat(store().in(JdbcTransaction.of(WithoutSavepoints.of(caller, "XAE07")))
                            .cancel(unseen.key(), NOW))
                    .isEqualTo(CancelResult.CANCELLED);
            caller.commit();
        });
        assertThat(store().find(unseen.key()).orElseThrow().state()).isEqualTo(TimerState.CANCELLED);
    }

    @Test
    void aSavepointThatFailsIsAFailure() throws SQLException {
        for (String state : List.of("08006", "70100", "HY000")) {
            inTransaction(caller -> assertThatThrownBy(
                            () -> store().in(JdbcTransaction.of(WithoutSavepoints.of(caller, state)))
                                    .cancel(key("m"), NOW))
                    .isInstanceOf(StoreException.class));
        }
    }

    @Test
    void twoCallersThatCancelMissingTimersMayScheduleTheirNeighbours() throws SQLException {
        inTransaction(one -> inTransaction(other -> {
            assertThat(store().in(JdbcTransaction.of(one)).cancel(key("k"), NOW))
                    .isEqualTo(CancelResult.NOT_FOUND);
            assertThat(store().in(JdbcTransaction.of(other)).cancel(key("l"), NOW))
                    .isEqualTo(CancelResult.NOT_FOUND);

            assertThat(ended(begin(() -> store().in(JdbcTransaction.of(one)).schedule(List.of(timer("k1", "x"))))))
                    .hasSize(1);
            assertThat(ended(begin(() -> store().in(JdbcTransaction.of(other)).schedule(List.of(timer("l1", "x"))))))
                    .hasSize(1);
            one.commit();
            other.commit();
        }));
    }

    /** One wait for each key would take a minute: MySQL cannot wait for less than a second. */
    @Test
    void manyNewKeysInAHeldGapAreOneWait() throws SQLException {
        // As MySQL's driver is without further settings: it sends the statements of a batch one by one.
        HikariDataSource pool =
                database.pool(database.dataSource().getJdbcUrl().replace("&rewriteBatchedStatements=true", ""));
        store().schedule(List.of(timer("a", "x"), timer("z", "x")));
        Scheduler scheduler = scheduler(waiting(pool, SHORT));
        inTransaction(caller -> {
            try (Statement statement = caller.createStatement()) {
                statement
                        .executeQuery("SELECT timer_id FROM timer_schedules WHERE tenant_id = '" + tenant
                                + "' AND timer_id = 'm' AND scope = '' FOR UPDATE")
                        .close();
            }

            refused(begin(() -> scheduler.scheduleAll(IntStream.range(0, 60)
                    .mapToObj(i -> laterTimer("o" + i, "x"))
                    .toList())));
        });
    }
}
