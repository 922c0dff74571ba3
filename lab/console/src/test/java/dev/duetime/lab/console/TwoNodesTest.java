package dev.duetime.lab.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rule that an operator mends things by keyboard alone, for all nodes. */
@Tag("full")
class TwoNodesTest extends ClusterTest {
    private static final int DEAD = 3_000;
    private static final int MANY = 200;

    @Test
    void anOpenPageShowsThatATimerFires() throws Exception {
        scheduler.schedule(Timer.after(TimerKey.of("acme", "soon"), Duration.ofSeconds(3))
                .type("ping")
                .build());
        go(server, "timer?tenant=acme&id=soon");
        browser.await("scheduled");
        browser.script("window.stays = true");

        browser.await("reached");

        assertThat(holds("window.stays")).isTrue();
        assertThat(delivered("soon")).hasSize(1);
    }

    @Test
    void threeThousandDeadTimersAreRevivedByGroup() throws Exception {
        schedule("invoice-", "invoice", DEAD);
        TimerQuery dead = TimerQuery.all().state(TimerState.DEAD);
        await(
                "all invoices are dead",
                () -> scheduler.admin().views().countUpTo(dead, DEAD).timers() == DEAD);
        Files.delete(folder.resolve("failing"));

        go(server, "");
        browser.type("gd");
        browser.await("3,000");
        browser.type("j");
        tabTo("button[value=revive]");
        browser.type(ENTER);
        browser.await("Revive 3,000 timers?");
        tabTo("main button.main");
        browser.type(ENTER);
        browser.await("3,000 of 3,000 timers");
        browser.await("Revive: done");

        await("all invoices are delivered", () -> delivered("invoice-").size() == DEAD);
        assertThat(nodes).allSatisfy(node -> assertThat(node.delivered()).isNotEmpty());
        assertThat(scheduler.admin().views().countUpTo(dead, 10).timers()).isZero();
        browser.type("ga");
        browser.await("Activity");
        browser.await("local");
    }

    @Test
    void aPauseWithAReasonStopsBothNodes() throws Exception {
        go(server, "queue?name=default");
        tabTo("input[name=reason]");
        browser.type("the disk is full" + ENTER);
        browser.await("This queue is paused since");
        for (NodeProcess each : nodes) {
            each.awaitLog("because: the disk is full");
        }
        schedule("held-", "ping", MANY);
        browser.type("go");
        browser.await("the disk is full");
        browser.type("gn");
        browser.await("north");
        browser.await("south");

        go(server, "queue?name=default");
        Instant resumed = Instant.now();
        assertThat(delivered("held-")).isEmpty();
        tabTo("main form button");
        browser.type(ENTER);
        browser.await("The queue is resumed.");

        await("all are delivered", () -> delivered("held-").size() == MANY);
        assertThat(delivered("held-").values()).allMatch(at -> !at.isBefore(resumed));
    }
}
