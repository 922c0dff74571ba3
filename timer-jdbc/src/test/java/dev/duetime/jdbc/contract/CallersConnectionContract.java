package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoreException;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.store.TimerWrites;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of what happens to a connection that the caller lends. */
abstract class CallersConnectionContract extends JdbcPart {

    CallersConnectionContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    @BeforeEach
    void createTable() {
        execute(database.dataSource(), "CREATE TABLE IF NOT EXISTS orders (id VARCHAR(100) PRIMARY KEY)");
    }

    @Test
    void theStoreLeavesTheConnectionOpenAndInItsTransaction() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            TimerWrites writes = store().in(JdbcTransaction.of(connection));

            writes.schedule(List.of(timer("a", "x")));
            writes.schedule(List.of(timer("a", "x"), timer("a", "y")));
            writes.find(key("a"));
            writes.cancel(key("a"), NOW);
            writes.cancel(key("a"), NOW);

            assertThat(connection.isClosed()).isFalse();
            assertThat(connection.getAutoCommit()).isFalse();
            insertOrder(connection);
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(store().find(key("a"))).isEmpty();
        assertThat(orders()).isZero();
    }

    @Test
    void aConnectionThatRefusesSavepointsIsJoined() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            TimerWrites writes = store().in(JdbcTransaction.of(WithoutSavepoints.of(connection, "XAE07")));

            writes.schedule(List.of(timer("a", "x")));
            writes.schedule(List.of(timer("a", "y"), timer("b", "x")));
            assertThat(writes.cancel(key("b"), NOW)).isEqualTo(CancelResult.CANCELLED);
            assertThat(writes.cancel(key("b"), NOW)).isEqualTo(CancelResult.TOO_LATE);
            assertThat(writes.cancel(key("c"), NOW)).isEqualTo(CancelResult.NOT_FOUND);
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(store().find(key("a"))).isPresent();
        assertThat(store().find(key("b")).orElseThrow().state()).isEqualTo(TimerState.CANCELLED);
    }

    @Test
    void aTimerCommitsWithTheCallersWrites() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            insertOrder(connection);
            store().in(JdbcTransaction.of(connection)).schedule(List.of(timer("a", "x")));
            assertThat(store().find(key("a"))).isEmpty();
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(store().find(key("a"))).isPresent();
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void aHandleOfJdbiCommitsAndRollsBack() {
        Jdbi jdbi = Jdbi.create(database.dataSource());

        jdbi.useTransaction(handle -> {
            store().in(JdbcTransaction.of(handle)).schedule(List.of(timer("a", "x")));
            assertThat(handle.isInTransaction()).isTrue();
        });
        jdbi.useTransaction(handle -> {
            store().in(JdbcTransaction.of(handle)).schedule(List.of(timer("b", "x")));
            handle.rollback();
        });

        assertThat(store().find(key("a"))).isPresent();
        assertThat(store().find(key("b"))).isEmpty();
        assertThat(store().schedule(List.of(timer("b", "x"))).get(0).outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    @Test
    void aConnectionInAutoCommitModeIsRefused() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> JdbcTransaction.of(connection))
                    .withMessage("connection must be in a transaction but was in auto-commit mode");

            connection.setAutoCommit(false);
            TimerWrites writes = store().in(JdbcTransaction.of(connection));
            connection.setAutoCommit(true);
            assertThatIllegalStateException().isThrownBy(() -> writes.schedule(List.of(timer("a", "x"))));
        }
        Jdbi.create(database.dataSource())
                .useHandle(handle -> assertThatIllegalStateException().isThrownBy(() -> JdbcTransaction.of(handle)));
        assertThat(store().find(key("a"))).isEmpty();
    }

    @Test
    void aClosedConnectionIsAStoreFailure() throws SQLException {
        Connection connection = database.dataSource().getConnection();
        connection.setAutoCommit(false);
        TimerWrites writes = store().in(JdbcTransaction.of(connection));
        connection.close();

        assertThatThrownBy(() -> writes.schedule(List.of(timer("a", "x")))).isInstanceOf(StoreException.class);
    }

    private void insertOrder(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (id) VALUES (?)")) {
            insert.setString(1, tenant);
            insert.executeUpdate();
        }
    }

    private int orders() {
        return Integer.parseInt(query(database.dataSource(), "SELECT count(*) FROM orders WHERE id = '" + tenant + "'")
                .get(0));
    }
}
