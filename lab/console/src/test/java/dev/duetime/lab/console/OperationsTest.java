package dev.duetime.lab.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.recurrence.Recurrence;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rule that each action of the console does what its page says, by keyboard alone, on one, some, or all timers. */
@Tag("full")
class OperationsTest extends ClusterTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final int MANY = 1_200;
    private static final int BATCH = 500;

    private void later(String prefix, int count) {
        scheduler.scheduleAll(IntStream.range(0, count)
                .mapToObj(i -> Timer.after(TimerKey.of("acme", "%s%04d".formatted(prefix, i)), DAY)
                        .type("ping")
                        .build())
                .toList());
    }

    private static TimerQuery all(String prefix, TimerState state) {
        return TimerQuery.all().tenantId("acme").idPrefix(prefix).state(state);
    }

    private long count(String prefix, TimerState state) {
        return scheduler.admin().views().countUpTo(all(prefix, state), 10_000).timers();
    }

    private Instant due(String id) {
        return scheduler.find(TimerKey.of("acme", id)).orElseThrow().dueAt();
    }

    private void list(String prefix, String state) throws IOException, InterruptedException {
        go(server, "timers?tenant=acme&prefix=" + prefix + "&state=" + state);
    }

    private void press(String button) throws IOException, InterruptedException {
        tabTo("main button[value=" + button + "]");
        browser.type(ENTER);
    }

    @Test
    void tickedTimersAreDeliveredMovedAndCancelled() throws Exception {
        later("ticked-", 6);
        list("ticked-", "scheduled");
        browser.type("jxjx");
        tabTo("main form[action$=ticked] button[value=deliver]");
        browser.type(ENTER);
        browser.await("deliver: 2 timers of 2");
        await("both are delivered", () -> delivered("ticked-").size() == 2);
        assertThat(delivered("ticked-")).containsOnlyKeys("ticked-0000", "ticked-0001");

        list("ticked-", "scheduled");
        browser.type("jx");
        tabTo("main form[action$=ticked] button[value=reschedule]");
        browser.type(ENTER);
        browser.await("Reschedule 1 timer?");
        press("reschedule");
        browser.await("reschedule: 1 timer of 1");
        assertThat(due("ticked-0002"))
                .isBetween(
                        Instant.now().plus(Duration.ofMinutes(55)),
                        Instant.now().plus(Duration.ofMinutes(65)));
        assertThat(due("ticked-0003")).isAfter(Instant.now().plus(Duration.ofHours(23)));

        list("ticked-", "scheduled");
        browser.type("jxjx");
        tabTo("main form[action$=ticked] button[value=cancel]");
        browser.type(ENTER);
        browser.await("Cancel 2 timers?");
        tabTo("input[name=typed]");
        browser.type("no" + ENTER);
        assertThat(holds("document.querySelector('input[name=typed]:invalid')")).isTrue();
        browser.type("\uE003\uE003cancel" + ENTER);
        browser.await("cancel: 2 timers of 2");
        assertThat(count("ticked-", TimerState.CANCELLED)).isEqualTo(2);
        assertThat(count("ticked-", TimerState.SCHEDULED)).isEqualTo(2);
    }

    @Test
    void oneTimerIsMovedDeliveredAndShownAsItFires() throws Exception {
        later("single-", 1);
        go(server, "timer?tenant=acme&id=single-0000");
        press("reschedule");
        browser.await("New due time (UTC)");
        press("reschedule");
        browser.await("reschedule: 1 timer of 1");
        assertThat(due("single-0000")).isBefore(Instant.now().plus(Duration.ofHours(2)));
        press("deliver");
        browser.await("deliver: 1 timer of 1");

        browser.await("reached");

        assertThat(delivered("single-")).hasSize(1);
    }

    @Test
    void allThatMatchAreMovedDeliveredCancelledAndPurgedAfterTheirNumberWasShown() throws Exception {
        later("bulk-", MANY);
        later("other-", 3);
        list("bulk-", "scheduled");
        press("reschedule");
        browser.await("Reschedule 1,200 timers?");
        assertThat(due("bulk-0000")).isAfter(Instant.now().plus(Duration.ofHours(2)));
        press("reschedule");
        browser.await("Reschedule: done");
        browser.await("1,200 of 1,200 timers");
        assertThat(due("bulk-1199")).isBefore(Instant.now().plus(Duration.ofHours(2)));

        list("bulk-00", "scheduled");
        press("deliver");
        browser.await("Deliver 100 timers?");
        press("deliver");
        browser.await("Deliver: done");
        await("a hundred are delivered", () -> delivered("bulk-").size() == 100);

        list("bulk-", "scheduled");
        press("cancel");
        browser.await("Cancel 1,100 timers?");
        tabTo("input[name=typed]");
        browser.type("cancel" + ENTER);
        browser.await("Cancel: done");
        assertThat(count("bulk-", TimerState.CANCELLED)).isEqualTo(MANY - 100);

        list("bulk-", "cancelled");
        press("purge");
        browser.await("Purge 1,100 timers?");
        tabTo("input[name=typed]");
        browser.type("purge" + ENTER);
        browser.await("Purge: done");
        assertThat(count("bulk-", TimerState.CANCELLED)).isZero();
        assertThat(count("bulk-", TimerState.REACHED)).isEqualTo(100);
        assertThat(count("other-", TimerState.SCHEDULED)).isEqualTo(3);

        browser.type("ga");
        browser.await("Activity");
        assertThat(browser.text()).contains("Reschedule", "Deliver", "Cancel", "Purge", "1,100");
    }

    /** The run waits for a row that another transaction holds, so it is certainly under way. */
    @Test
    void aRunShowsItsProgressAndCanBeStopped() throws Exception {
        later("held-", MANY);
        try (Connection other = database.getConnection()) {
            other.setAutoCommit(false);
            hold(other, "held-0700");
            list("held-", "scheduled");
            press("cancel");
            browser.await("Cancel 1,200 timers?");
            tabTo("input[name=typed]");
            browser.type("cancel" + ENTER);
            browser.await("Cancel: running");
            browser.await("500 of 1,200 timers");
            tabTo("main form[action$=stop] button");
            browser.type(ENTER);
            browser.await("Cancel: stopping");
            other.rollback();
        }
        browser.await("Cancel: stopped");
        assertThat(count("held-", TimerState.CANCELLED)).isEqualTo(2 * BATCH);
        assertThat(count("held-", TimerState.SCHEDULED)).isEqualTo(MANY - 2 * BATCH);
    }

    private static void hold(Connection connection, String id) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT 1 FROM timer_schedules WHERE timer_id = '" + id + "' FOR UPDATE")) {
            assertThat(row.next()).isTrue();
        }
    }

    @Test
    void aGroupOfDeadTimersIsPurgedFromItsPage() throws Exception {
        schedule("doomed-", "invoice", 30);
        await("all are dead", () -> count("doomed-", TimerState.DEAD) == 30);
        go(server, "");
        browser.type("gd");
        browser.await("IllegalStateException");
        browser.type("j");
        press("purge");
        browser.await("Purge 30 timers?");
        tabTo("input[name=typed]");
        browser.type("purge" + ENTER);
        browser.await("Purge: done");

        assertThat(count("doomed-", TimerState.DEAD)).isZero();
    }

    @Test
    void everyScreenShowsWhatTheDatabaseHas() throws Exception {
        later("seen-", 2);
        scheduler.schedule(Timer.recurring(TimerKey.of("acme", "nightly"), Recurrence.every(DAY))
                .type("report")
                .build());
        go(server, "");
        browser.await("default");
        for (String screen : screens(server)) {
            go(server, screen);
            assertThat(browser.text()).as(screen).doesNotContain("This page failed", "The database is away");
        }
        go(server, "recurring");
        browser.await("nightly");
        go(server, "nodes");
        browser.await("north");
        browser.await("south");
        go(server, "queue?name=default");
        browser.await("shards");
        assertThat(holds("document.querySelectorAll('.cell.node1').length > 0"
                        + " && document.querySelectorAll('.cell.node2').length > 0"))
                .isTrue();
        list("seen-", "scheduled");
        browser.await("seen-0001");
    }
}
