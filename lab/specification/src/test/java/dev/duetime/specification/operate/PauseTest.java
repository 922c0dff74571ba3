package dev.duetime.specification.operate;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.admin.QueuePause;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.listener.NodeListener;
import dev.duetime.specification.LogLines;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that a paused queue delivers nothing, on any node, and loses nothing. */
class PauseTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration TICK = Duration.ofNanos(1_000);

    private final InMemoryPublisher mails = new InMemoryPublisher();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.batchSize(10).queue("mail", queue -> queue.publisher(mails)))
            .build();
    private final TimerAdmin admin = kit.scheduler().admin();

    private void schedule(String timerId, Duration delay) {
        kit.scheduler().schedule(Timer.after(timerId, delay).build());
    }

    private TimerState state(String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow().state();
    }

    @Test
    void aPausedQueueDeliversOldestFirstAfterItsResumption() {
        schedule("b", Duration.ofSeconds(2));
        schedule("a", SECOND);
        assertThat(admin.pause("default")).isTrue();
        kit.advance(Duration.ofDays(1));
        assertThat(kit).hasDeliveredNothing();

        assertThat(admin.resume("default")).isTrue();
        kit.runDue();

        assertThat(kit).hasDeliveredInOrder("a", "b");
        assertThat(kit).lastOf("a").wasReachedAt(kit.now());
    }

    @Test
    void aPauseKeepsTheInterruptOfItsCaller() {
        Thread.currentThread().interrupt();
        admin.pause("default");
        assertThat(Thread.interrupted()).isTrue();

        Thread.currentThread().interrupt();
        admin.resume("default");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aChangeWhoseReplyWasLostHoldsOnThisNodeAtOnce() {
        kit.node(0).failAfter(StoreCall.PAUSE);
        assertThatThrownBy(() -> admin.pause("default")).isInstanceOf(StoreException.class);
        schedule("a", Duration.ZERO);
        kit.runDue();
        assertThat(kit).hasDeliveredNothing();

        kit.node(0).failAfter(StoreCall.RESUME);
        assertThatThrownBy(() -> admin.resume("default")).isInstanceOf(StoreException.class);
        kit.runDue();
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void schedulingAndCancellingStillWorkDuringAPause() {
        admin.pause("default");
        schedule("a", SECOND);
        schedule("b", SECOND);
        kit.advance(Duration.ofMinutes(1));
        kit.scheduler().cancel(TimerKey.of("b"));
        admin.resume("default");
        kit.runDue();
        assertThat(kit).hasDeliveredInOrder("a");
        assertThat(state("b")).isEqualTo(TimerState.CANCELLED);
    }

    @Test
    void otherQueuesAreStillDelivered() {
        admin.pause("default");
        kit.scheduler().schedule(Timer.after("m", SECOND).queue("mail").build());
        kit.advance(SECOND);
        assertThat(mails).hasDeliveredInOrder("m");
    }

    @Test
    void anotherNodeBeginsNoBatchAfterAPollingInterval() {
        KitNode other = kit.addNode();
        kit.advance(Duration.ofMinutes(1));
        other.scheduler().admin().pause("default");
        kit.advance(POLL);
        IntStream.range(0, 40).forEach(i -> schedule("t-" + i, Duration.ofMillis(i)));
        kit.advance(Duration.ofHours(1));
        assertThat(kit).hasDeliveredNothing();

        other.scheduler().admin().resume("default");
        kit.advance(POLL);
        assertThat(kit).hasDeliveredCount(40);
    }

    @Test
    void aBusyNodeNoticesThePauseAsSoon() {
        KitNode other = kit.addNode(scheduler -> scheduler.queue("default", queue -> queue.publisher(batch -> {})));
        kit.advance(Duration.ofMinutes(1));
        other.pause();
        kit.advance(Duration.ofMinutes(1));
        IntStream.range(0, 2_000).forEach(i -> schedule("t-" + i, Duration.ofMillis(10L * i)));
        kit.advance(SECOND);
        int before = kit.delivered().size();
        assertThat(before).isPositive();

        other.scheduler().admin().pause("default");
        kit.advance(POLL);
        int noticed = kit.delivered().size();
        kit.advance(Duration.ofSeconds(30));

        assertThat(noticed).isBetween(before, before + 501);
        assertThat(kit.delivered()).hasSize(noticed);
    }

    @Test
    void eachNodeLogsAndReportsAPauseOnce() {
        Map<String, List<Boolean>> told = new TreeMap<>();
        KitNode other = kit.addNode(scheduler -> scheduler.listener(new NodeListener() {
            @Override
            public void paused(String queue, boolean isPaused) {
                told.computeIfAbsent(queue, name -> new ArrayList<>()).add(isPaused);
            }
        }));
        kit.advance(Duration.ofMinutes(1));
        try (LogLines lines = LogLines.ofDuetime()) {
            admin.pause("default");
            kit.advance(Duration.ofMinutes(1));
            assertThat(lines.messages(Level.INFO))
                    .filteredOn(line -> !line.contains("operator"))
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line)
                            .contains(
                                    "queue default has been paused since",
                                    admin.health().nodeId()));
            other.scheduler().admin().resume("default");
            kit.advance(Duration.ofMinutes(1));
            assertThat(lines.messages(Level.INFO))
                    .filteredOn(line -> !line.contains("operator"))
                    .hasSize(4)
                    .endsWith("queue default is resumed; this node delivers its timers again");
        }
        assertThat(told).isEqualTo(Map.of("default", List.of(true, false)));
    }

    @Test
    void aPauseSurvivesARestartOfAllNodes() {
        admin.pause("default");
        schedule("a", SECOND);
        kit.node(0).restart();
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit).hasDeliveredNothing();
        kit.scheduler().admin().resume("default");
        kit.runDue();
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aNodeThatTakesAPausedQueueOverDeliversNothing() {
        KitNode other = kit.addNode();
        kit.advance(Duration.ofMinutes(1));
        admin.pause("default");
        schedule("a", SECOND);
        kit.node(0).crash();
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit).hasDeliveredNothing();
        other.scheduler().admin().resume("default");
        kit.runDue();
        assertThat(kit).hasDeliveredOnce("a");
    }

    @Test
    void aBatchThatHasBegunIsFinishedAndSettled() {
        kit.publisher().onEach(each -> admin.pause("default"));
        IntStream.range(0, 25).forEach(i -> schedule("t-" + i, SECOND));
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit).hasDeliveredCount(10);
        kit.delivered().forEach(each -> assertThat(state(each.key().timerId())).isEqualTo(TimerState.REACHED));
    }

    @Test
    void deadlinesPassedDuringAPauseExpireWhenItEnds() {
        kit.scheduler()
                .schedule(Timer.at("late", kit.now())
                        .expiresAt(kit.now().plusSeconds(60))
                        .build());
        kit.scheduler()
                .schedule(Timer.at("in time", kit.now())
                        .expiresAt(kit.now().plusSeconds(60).plus(TICK))
                        .build());
        admin.pause("default");
        kit.advance(Duration.ofSeconds(60).plus(TICK));
        assertThat(state("late")).isEqualTo(TimerState.SCHEDULED);
        admin.resume("default");
        kit.runDue();
        assertThat(state("late")).isEqualTo(TimerState.EXPIRED);
        assertThat(kit).hasDeliveredInOrder("in time");
    }

    @Test
    void theFirstPauseStaysAndShowsItsNode() {
        KitNode other = kit.addNode();
        assertThat(admin.pause("default")).isTrue();
        QueuePause first = new QueuePause(kit.now(), admin.health().nodeId());
        kit.advance(SECOND);
        assertThat(other.scheduler().admin().pause("default")).isFalse();

        assertThat(admin.queues().get(0).pause()).isEqualTo(first);
        assertThat(other.scheduler().admin().health().queues().get(0).pause()).isEqualTo(first);
        assertThat(admin.resume("default")).isTrue();
        assertThat(admin.resume("default")).isFalse();
    }

    @Test
    void aPausedQueueCostsNoMoreStatementsThanAnIdleOne() {
        kit.clock().everyTurn(true);
        kit.advance(Duration.ofMinutes(10));
        int[] idle = calls();
        kit.advance(Duration.ofMinutes(10));
        int[] afterIdle = calls();
        admin.pause("default");
        schedule("a", SECOND);
        kit.advance(Duration.ofMinutes(10));
        int[] afterPause = calls();
        assertThat(afterIdle[0] - idle[0]).isEqualTo(2 * 120);
        assertThat(afterPause[0] - afterIdle[0]).isLessThanOrEqualTo(2 * 120 + 1);
        assertThat(afterPause[1] - idle[1]).isZero();
    }

    private int[] calls() {
        return new int[] {kit.node(0).calls(StoreCall.NEXT_DUE), kit.node(0).calls(StoreCall.DUE)};
    }

    @Test
    void anUnknownQueueIsRefused() {
        assertThatThrownBy(() -> admin.pause("nowhere"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("queue must be one of", "'nowhere'");
        assertThatThrownBy(() -> admin.resume("")).hasMessage("queue must not be empty");
    }
}
