package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.Occurrence;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcTransaction;
import dev.duetime.jdbc.database.LosingReplies;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.NewTimer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of failures: they leave nothing half-done, reveal no secrets and block no other call. */
abstract class TroubleContract extends JdbcPart {
    private static final String SECRET = "secret-4711";

    TroubleContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    @Test
    void messagesQuoteNeitherPayloadNorHeaders() throws SQLException {
        HikariDataSource dataSource = newDatabase();
        JdbcScheduleStore refusing = database.open(dataSource);
        execute(dataSource, database.refusingHeaders());

        StoreException own = catchThrowableOfType(StoreException.class, () -> refusing.schedule(List.of(refused("a"))));
        assertThat(own).hasMessageStartingWith("schedule " + tenant + "/a failed: ");
        tellsNoSecret(own);

        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            StoreException joined = catchThrowableOfType(
                    StoreException.class,
                    () -> refusing.in(JdbcTransaction.of(connection)).schedule(List.of(refused("a"), refused("b"))));
            assertThat(joined).hasMessageStartingWith("schedule 2 timers failed: ");
            tellsNoSecret(joined);
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    @Test
    void messagesQuoteNoItemOfAToDoList() {
        HikariDataSource dataSource = newDatabase();
        JdbcScheduleStore refusing = database.open(dataSource);
        execute(dataSource, "DROP TABLE timer_todo_items");
        ListItem item = new ListItem(new ListKey("list", SECRET), NOW);

        for (StoreException each : List.of(
                catchThrowableOfType(
                        StoreException.class, () -> refusing.todos().put(List.of(item))),
                catchThrowableOfType(
                        StoreException.class, () -> refusing.todos().remove(List.of(item.key()))))) {
            tellsNoSecret(each);
        }
    }

    /** A newer node may have written it. */
    @Test
    void anOutcomeOfALaterVersionHidesNoOther() {
        HikariDataSource dataSource = newDatabase();
        JdbcScheduleStore opened = database.open(dataSource);
        Occurrence known = new Occurrence(key("a"), NOW, Occurrence.Outcome.DELIVERED, NOW.plusSeconds(1), 1, null);
        Occurrence later =
                new Occurrence(key("a"), NOW.plusSeconds(9), Occurrence.Outcome.DEAD, NOW.plusSeconds(9), 1, null);
        opened.admin().putOccurrences(List.of(known, later));
        execute(dataSource, "UPDATE timer_occurrences SET outcome = 'PARKED' WHERE outcome = 'DEAD'");

        assertThat(opened.admin().views().occurrences(key("a"))).containsExactly(known);
    }

    @Test
    void aFailedBatchLeavesNothingEvenIfTheCallerCommits() throws SQLException {
        HikariDataSource dataSource = newDatabase();
        JdbcScheduleStore refusing = database.open(dataSource);
        execute(dataSource, database.refusingHeaders());

        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> refusing.in(JdbcTransaction.of(connection))
                            .schedule(List.of(timer("a", "x"), timer("a", "y"), refused("b"))))
                    .isInstanceOf(StoreException.class);
            connection.commit();
            connection.setAutoCommit(true);
        }

        assertThat(refusing.query(TimerQuery.all().allowScan())).isEmpty();
    }

    @Test
    void afterALostReplyARepeatSaysUnchanged() {
        LosingReplies losing = new LosingReplies(database.dataSource());
        JdbcScheduleStore store = database.builder(losing).migrate(false).build();
        NewTimer single = timer("single", "x");
        List<NewTimer> batch = List.of(timer("batch", "x"), timer("batch", "y"));

        losing.begin();
        assertThatThrownBy(() -> store.schedule(List.of(single))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.schedule(batch)).isInstanceOf(StoreException.class);
        losing.end();

        ScheduleResult again = store.schedule(List.of(timer("single", "x"))).get(0);
        assertThat(again.outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        assertThat(again.generation()).isEqualTo(single.generation());
        again = store.schedule(List.of(timer("batch", "y"))).get(0);
        assertThat(again.outcome()).isEqualTo(ScheduleOutcome.UNCHANGED);
        assertThat(again.generation()).isEqualTo(batch.get(1).generation());
    }

    @Test
    void anUnreadableRowIsReportedSeparatelyAndBlocksNothing() {
        NewTimer broken = timer("broken", "x", Map.of("h", SECRET));
        store().schedule(List.of(broken, timer("sound", "x")));
        breakRow("headers = '[\"" + SECRET + "\"'");

        DueTimers due = store().due(new DueQuery(queue, List.of(0), NOW, 10));

        assertThat(due.timers()).extracting(StoredTimer::key).containsExactly(key("sound"));
        assertThat(due.more()).isFalse();
        assertThat(due.undecodable())
                .containsExactly(new DueTimers.Undecodable(
                        broken.key(), broken.generation(), 0, "headers must be a JSON object of strings"));
        assertThat(store().find(broken.key()).orElseThrow().failure())
                .isEqualTo(
                        new StoredTimer.Failure("cannot be read: headers must be a JSON object of strings", NOW, NOW));
    }

    @Test
    void aRowWithLargeHeadersThatCannotBeReadIsReportedToo() {
        NewTimer broken = timer("broken", "x", Map.of("h", SECRET));
        store().schedule(List.of(broken, timer("sound", "x")));
        breakRow("headers = '[" + "x".repeat(5_000) + "'");

        DueTimers due =
                store().due(new DueQuery(queue, List.of(0), Instant.MIN, NOW, 10, Exclusion.NONE, 10_000, Map.of()));

        assertThat(due.timers()).extracting(StoredTimer::key).containsExactly(key("sound"));
        assertThat(due.undecodable())
                .containsExactly(new DueTimers.Undecodable(
                        broken.key(), broken.generation(), 0, "headers must be a JSON object of strings"));
    }

    @Test
    void aRowInAnUnknownStateIsNotDueAndShownAsDead() {
        store().schedule(List.of(timer("broken", "x")));
        breakRow("state = 'LO\nST'");

        assertThat(store().due(new DueQuery(queue, List.of(0), NOW, 10))).isEqualTo(new DueTimers(List.of(), false));
        StoredTimer shown = store().find(key("broken")).orElseThrow();
        assertThat(shown.state()).isEqualTo(TimerState.DEAD);
        assertThat(shown.failure())
                .isEqualTo(new StoredTimer.Failure(
                        "cannot be read: state must be one of this version but was 'LO\\u000aST'", NOW, NOW));
    }

    private void breakRow(String assignment) {
        execute(
                database.dataSource(),
                "UPDATE timer_schedules SET " + assignment + " WHERE timer_id = 'broken' AND tenant_id = '" + tenant
                        + "'");
    }

    private NewTimer refused(String timerId) {
        return timer(timerId, SECRET, Map.of("h", SECRET));
    }

    private static void tellsNoSecret(Throwable told) {
        StringWriter log = new StringWriter();
        told.printStackTrace(new PrintWriter(log));
        assertThat(log.toString())
                .doesNotContain(SECRET)
                .doesNotContainIgnoringCase(HexFormat.of().formatHex(SECRET.getBytes(StandardCharsets.UTF_8)));
    }
}
