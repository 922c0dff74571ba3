package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.duetime.StoreException;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.internal.row.TodoRows;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ScheduleStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests of how items of to-do lists are stored in the table. */
abstract class TodoRowContract extends JdbcPart {
    private final String list = "l-" + UUID.randomUUID();

    TodoRowContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    /** Puts items, a second apart. */
    static void fill(ScheduleStore store, String list, int items) {
        store.todos()
                .put(IntStream.range(0, items)
                        .mapToObj(i -> item(list, "i" + i, NOW.plusSeconds(i)))
                        .toList());
    }

    private static ListItem item(String list, String id, Instant overdueAt) {
        return new ListItem(new ListKey(list, id), overdueAt);
    }

    @Test
    void anItemIsOneRowAndNoneWhenItIsRemoved() {
        ListItem item = item(list, "a", Instant.EPOCH.plusSeconds(7));
        store().todos().put(List.of(item));
        assertThat(rows(database.dataSource(), "SELECT * FROM timer_todo_items WHERE list = '" + list + "'"))
                .containsExactly(list + "|a|7000000");

        store().todos().remove(List.of(item.key()));
        assertThat(rows(database.dataSource(), "SELECT * FROM timer_todo_items WHERE list = '" + list + "'"))
                .isEmpty();
    }

    @Test
    void invalidItemRowsAreSkippedAndHideNoOthers() {
        for (String id : List.of("'b\n'", "''")) {
            insertAtOne(id);
        }
        execute(
                database.dataSource(),
                "INSERT INTO timer_todo_items (list, item_id, overdue_at) VALUES ('" + list + "', 'old', "
                        + (Long.MIN_VALUE + 1) + ")");
        List<ListItem> items = List.of(
                item(list, "a", Instant.EPOCH.plusNanos(1_000)), item(list, "c", Instant.EPOCH.plusNanos(1_000)));
        store().todos().put(items);

        assertThat(store().todos().overdue(list, NOW, null, 2)).isEqualTo(items);
        assertThat(store().todos().overdue(list, NOW, null, 1)).isEqualTo(items.subList(0, 1));
        assertThat(store().todos().overdue(list, NOW, items.get(0), 1)).isEqualTo(items.subList(1, 2));
    }

    @Test
    void anInvalidItemRowIsLoggedOnceAlthoughEachTickReadsIt() throws SQLException {
        Logger logger = (Logger) LoggerFactory.getLogger(TodoRows.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            insertAtOne("'b\n'");
            for (int tick = 0; tick < 3; tick++) {
                assertThat(store().todos().overdue(list, NOW, null, 2)).isEmpty();
                database.inTransaction(
                        true, transaction -> store().in(transaction).todos().overdue(list, NOW, null, 2));
            }
            assertThat(lines.list)
                    .hasSize(1)
                    .first()
                    .satisfies(line -> assertThat(line.getFormattedMessage())
                            .contains(list, "control characters")
                            .doesNotContain("\n"));

            insertAtOne("'c\n'");
            assertThat(store().todos().overdue(list, NOW, null, 2)).isEmpty();
            assertThat(lines.list).hasSize(2);
        } finally {
            logger.detachAppender(lines);
        }
    }

    private void insertAtOne(String id) {
        execute(
                database.dataSource(),
                "INSERT INTO timer_todo_items (list, item_id, overdue_at) VALUES ('" + list + "', " + id + ", 1)");
    }

    @Test
    void anItemCommitsWithTheCallersWrites() throws SQLException {
        execute(database.dataSource(), "CREATE TABLE IF NOT EXISTS cases (id VARCHAR(100) PRIMARY KEY)");
        ListItem item = item(list, "a", NOW);
        for (boolean commit : new boolean[] {false, true}) {
            try (Connection connection = database.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                connection.createStatement().execute("INSERT INTO cases (id) VALUES ('" + list + "')");
                store().in(JdbcTransaction.of(connection)).todos().put(List.of(item));
                if (commit) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
                connection.setAutoCommit(true);
            }
            assertThat(store().todos().find(item.key()).isPresent()).isEqualTo(commit);
            assertThat(rows(database.dataSource(), "SELECT id FROM cases WHERE id = '" + list + "'"))
                    .hasSize(commit ? 1 : 0);
        }
    }

    /**
     * Callers open and close different cases of one list. If a deadlock is reported to a caller, he repeats the
     * transaction.
     */
    @Test
    void callersWhoWorkOnNeighbouringItemsLoseNone() throws InterruptedException, ExecutionException {
        int threads = 6;
        int rounds = 25;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            Callable<Integer> caller = () -> {
                for (int i = 0; i < rounds; i++) {
                    String id = Thread.currentThread().getId() + "-" + i;
                    repeating(() -> database.inTransaction(true, transaction -> {
                        store().in(transaction).todos().put(List.of(item(list, id, NOW), item(list, id + "+", NOW)));
                        return 1;
                    }));
                    repeating(() -> database.inTransaction(
                            true,
                            transaction -> store().in(transaction).todos().remove(List.of(new ListKey(list, id)))));
                }
                return rounds;
            };
            for (Future<Integer> each : pool.invokeAll(
                    IntStream.range(0, threads).mapToObj(i -> caller).toList())) {
                assertThat(each.get()).isEqualTo(rounds);
            }
        } finally {
            pool.shutdownNow();
        }

        assertThat(store().todos().overdue(list, NOW, null, 1_000))
                .hasSize(threads * rounds)
                .allMatch(item -> item.key().id().endsWith("+"));
    }

    private static void repeating(Callable<Integer> transaction) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                assertThat(transaction.call()).isEqualTo(1);
                return;
            } catch (StoreException e) {
                if (attempt == 20) {
                    throw e;
                }
            }
        }
    }
}
