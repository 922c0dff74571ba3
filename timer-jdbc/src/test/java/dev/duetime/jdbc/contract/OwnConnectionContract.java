package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.store.CollisionException;
import dev.duetime.store.OwnTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of what happens to the connection of a transaction that the store begins. */
abstract class OwnConnectionContract extends JdbcPart {

    OwnConnectionContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    @BeforeEach
    void createTable() {
        execute(database.dataSource(), "CREATE TABLE IF NOT EXISTS orders (id VARCHAR(100) PRIMARY KEY)");
    }

    private static JdbcTransaction transaction(OwnTransaction own) {
        return (JdbcTransaction) own.transaction();
    }

    private void insertOrder(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (id) VALUES (?)")) {
            insert.setString(1, tenant);
            insert.executeUpdate();
        }
    }

    private String orders() {
        return query(database.dataSource(), "SELECT count(*) FROM orders WHERE id = '" + tenant + "'")
                .get(0);
    }

    @Test
    void writesOfAHandlerCommitWithTheTimers() throws SQLException {
        try (OwnTransaction own = store().begin()) {
            insertOrder(transaction(own).connection());
            own.writes().schedule(List.of(timer("a", "x")));
            assertThat(orders()).isEqualTo("0");
            own.commit();
        }
        assertThat(orders()).isEqualTo("1");
        assertThat(store().find(key("a"))).isPresent();
    }

    @Test
    void writesOfAHandlerRollBackWithTheTimers() throws SQLException {
        try (OwnTransaction own = store().begin()) {
            own.writes().schedule(List.of(timer("a", "x")));
            insertOrder(transaction(own).connection());
        }
        assertThat(orders()).isEqualTo("0");
        assertThat(store().find(key("a"))).isEmpty();
    }

    @Test
    void theConnectionIsReturnedUnchanged() throws SQLException {
        HikariDataSource pool = newDatabase();
        pool.setMaximumPoolSize(2);
        JdbcScheduleStore opened = database.open(pool);
        for (int i = 0; i < 10; i++) {
            try (OwnTransaction own = opened.begin()) {
                assertThat(transaction(own).connection().getAutoCommit()).isFalse();
                own.writes().schedule(List.of(timer("a" + i, "x")));
                if (i % 2 == 0) {
                    own.commit();
                }
            }
        }
        try (Connection one = pool.getConnection();
                Connection other = pool.getConnection()) {
            assertThat(one.getAutoCommit()).isTrue();
            assertThat(other.getAutoCommit()).isTrue();
        }
        assertThat(opened.find(key("a8"))).isPresent();
        assertThat(opened.find(key("a9"))).isEmpty();
    }

    @Test
    void aPoolWithoutAutoCommitWorksToo() throws SQLException {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.databases().create());
            pool.setAutoCommit(false);
            JdbcScheduleStore opened = database.open(pool);
            try (OwnTransaction own = opened.begin()) {
                own.writes().schedule(List.of(timer("kept", "x")));
                own.commit();
            }
            try (OwnTransaction own = opened.begin()) {
                own.writes().schedule(List.of(timer("lost", "x")));
            }

            assertThat(opened.find(key("kept"))).isPresent();
            assertThat(opened.find(key("lost"))).isEmpty();
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
            }
        }
    }

    @Test
    void theConnectionIsRefusedOnceTheTransactionIsOver() {
        OwnTransaction own = store().begin();
        JdbcTransaction transaction = transaction(own);
        own.commit();
        assertThatIllegalStateException().isThrownBy(transaction::connection);
        own.close();
        assertThatIllegalStateException().isThrownBy(transaction::connection);
    }

    @Test
    void aLentConnectionBelongsToTheCaller() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(JdbcTransaction.of(connection).connection()).isSameAs(connection);
            connection.setAutoCommit(true);
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> JdbcTransaction.managed(database.dataSource()).connection())
                .withMessage("connection must be taken from the data source that manages the transaction");
    }

    /** If the database has only one writer, the second transaction does not begin before the first one has ended. */
    @Test
    void transactionsWithOppositeLockOrdersCollideAndSucceedWhenRepeated() throws Exception {
        CyclicBarrier bothHaveOne = new CyclicBarrier(2);
        CountDownLatch oneIsOver = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Callable<Integer>> contenders = List.of(
                    () -> {
                        try {
                            return collisions(bothHaveOne, List.of("a"), List.of("b"), () -> {});
                        } finally {
                            oneIsOver.countDown();
                        }
                    },
                    // If both collide by a time limit, they would collide again without this wait.
                    () -> collisions(bothHaveOne, List.of("b"), List.of("a"), oneIsOver::await));
            List<Integer> collisions = new ArrayList<>();
            for (Future<Integer> each : threads.invokeAll(contenders)) {
                collisions.add(each.get());
            }
            if (!(database instanceof SqliteScheduleStoreTest)) {
                assertThat(collisions).anyMatch(each -> each > 0);
            }
        } finally {
            threads.shutdownNow();
        }
        String turns = "SELECT sum(turn) FROM timer_merge_slots WHERE queue = '" + queue + "'";
        assertThat(query(database.dataSource(), turns)).containsExactly("4");
    }

    private int collisions(CyclicBarrier bothHaveOne, List<String> first, List<String> second, Wait afterCollision)
            throws InterruptedException {
        for (int collisions = 0; ; collisions++) {
            try (OwnTransaction own = store().begin()) {
                own.writes().correlated().lock(queue, first);
                meet(bothHaveOne);
                own.writes().correlated().lock(queue, second);
                own.commit();
                return collisions;
            } catch (CollisionException e) {
                assertThat(e).hasMessageContaining("failed");
            }
            afterCollision.run();
        }
    }

    @FunctionalInterface
    private interface Wait {
        void run() throws InterruptedException;
    }

    private static void meet(CyclicBarrier barrier) throws InterruptedException {
        try {
            barrier.await(500, TimeUnit.MILLISECONDS);
        } catch (BrokenBarrierException | TimeoutException e) {
            assertThat(barrier.isBroken()).isTrue();
        }
    }
}
