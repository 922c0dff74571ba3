package dev.duetime.specification.outage;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.duetime.Timer;
import dev.duetime.listener.NodeListener;
import dev.duetime.specification.LogLines;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that an outage is logged as one warning and one line when it is over, not once a poll or a loop. */
class OutageLogTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TWO_HOURS = Duration.ofHours(2);

    private static final int QUEUES = 3;

    private final LogLines lines = LogLines.ofDuetime();
    private final Outages told = new Outages();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> {
                scheduler.listener(told);
                for (String queue : List.of("mail", "sms")) {
                    scheduler.queue(queue, settings -> settings.publisher(batch -> {}));
                }
            })
            .build();
    private final KitNode node = kit.node(0);

    @AfterEach
    void close() {
        lines.close();
    }

    private void scheduleOneAMinute() {
        for (int i = 1; i <= 60; i++) {
            for (String queue : List.of("default", "mail", "sms")) {
                kit.scheduler()
                        .schedule(Timer.after(queue + i, Duration.ofMinutes(i))
                                .queue(queue)
                                .build());
            }
        }
    }

    private void storeIsAwayForTwoHours(Predicate<StoreCall> calls) {
        scheduleOneAMinute();
        kit.advance(SECOND);
        node.storeDown(calls);
        kit.advance(TWO_HOURS);
        node.storeUp();
        kit.advance(SECOND.multipliedBy(2));
    }

    private List<String> recoveries() {
        return lines.messages(Level.INFO).stream()
                .filter(each -> each.contains(" is back "))
                .toList();
    }

    @Test
    void ofTheStoreIsLoggedOnceForFiveLoops() {
        storeIsAwayForTwoHours(call -> true);

        assertThat(lines.messages(Level.WARN)).singleElement().asString().startsWith("store is unavailable");
        assertThat(lines.messages(Level.ERROR)).isEmpty();
        assertThat(recoveries()).singleElement().asString().startsWith("store is back after PT");
        assertThat(lines.all()).hasSizeLessThan(20);
        assertThat(told.all).containsExactly("began store", "over store");
        assertThat(told.lasted.get(0)).isBetween(TWO_HOURS.minus(SECOND.multipliedBy(10)), TWO_HOURS.plus(SECOND));
    }

    @Test
    void ofPollsAloneWhileTheOtherLoopsGetThrough() {
        storeIsAwayForTwoHours(call -> call == StoreCall.DUE || call == StoreCall.NEXT_DUE);

        assertThat(lines.messages(Level.WARN)).hasSize(1);
        assertThat(recoveries()).hasSize(1);
    }

    @Test
    void ofPurgesAloneWithARetryEachMinute() {
        node.storeDown(call -> call == StoreCall.PURGE);
        int before = node.calls(StoreCall.PURGE);
        kit.advance(TWO_HOURS);
        int tried = (node.calls(StoreCall.PURGE) - before) / QUEUES;
        node.storeUp();
        kit.advance(Duration.ofMinutes(1));

        assertThat(lines.messages(Level.WARN)).hasSize(1);
        assertThat(recoveries()).hasSize(1);
        assertThat(tried).as("a dozen at first, then one a minute").isBetween(130, 133);
    }

    @Test
    void ofHousekeepingAloneEndsWithinSeconds() {
        kit.advance(Duration.ofSeconds(30));
        node.storeDown(call -> call == StoreCall.PURGE);
        kit.advance(SECOND.multipliedBy(31));
        assertThat(told.all).containsExactly("began store");
        node.storeUp();
        kit.advance(SECOND);

        assertThat(told.all).containsExactly("began store", "over store");
    }

    @Test
    void ofReadsAloneAlthoughTheNextDueTimeIsKnown() {
        storeIsAwayForTwoHours(call -> call == StoreCall.DUE);

        assertThat(lines.messages(Level.WARN)).hasSize(1);
        assertThat(recoveries()).hasSize(1);
    }

    @Test
    void ofCountingAttemptsAloneAfterATakeover() {
        kit.advance(SECOND);
        kit.scheduler().schedule(Timer.after("due", SECOND).build());
        node.crash();
        kit.advance(Duration.ofMinutes(1));
        told.all.clear();
        node.restart();
        node.storeDown(call -> call == StoreCall.SETTLE);
        kit.advance(Duration.ofMinutes(5));
        node.storeUp();
        kit.advance(SECOND.multipliedBy(2));

        assertThat(told.all).containsExactly("began store", "over store");
    }

    @Test
    void ofTheStoreEndsBeforeThePublisherIsCalled() {
        List<String> toldWhenPublishing = new ArrayList<>();
        kit.publisher().onEach(envelope -> toldWhenPublishing.addAll(told.all));
        kit.scheduler().schedule(Timer.after("due", SECOND).build());
        node.storeDown();
        kit.advance(Duration.ofMinutes(1));
        node.storeUp();
        kit.advance(SECOND.multipliedBy(3));

        assertThat(toldWhenPublishing).containsExactly("began store", "over store");
    }

    @Test
    void ofThePublisher() {
        scheduleOneAMinute();
        kit.publisher().failAlways();
        kit.advance(TWO_HOURS);
        kit.publisher().recover();
        kit.advance(SECOND.multipliedBy(2));

        assertThat(lines.messages(Level.WARN))
                .singleElement()
                .asString()
                .startsWith("publisher of queue default is unavailable");
        assertThat(recoveries()).hasSize(1);
        assertThat(told.all).containsExactly("began publisher of queue default", "over publisher of queue default");
    }

    @Test
    void eachOutageIsLoggedAgain() {
        for (int i = 0; i < 3; i++) {
            node.storeDown();
            kit.advance(Duration.ofMinutes(5));
            node.storeUp();
            kit.advance(SECOND.multipliedBy(2));
        }

        assertThat(lines.messages(Level.WARN)).hasSize(3);
        assertThat(recoveries()).hasSize(3);
    }

    private static final class Outages implements NodeListener {
        private final List<String> all = new ArrayList<>();
        private final List<Duration> lasted = new ArrayList<>();

        @Override
        public void outageBegan(String what, Throwable cause) {
            all.add("began " + what);
        }

        @Override
        public void outageOver(String what, Duration duration) {
            all.add("over " + what);
            lasted.add(duration);
        }
    }
}
