package dev.duetime.specification.cluster;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that an attempt is counted even if it kills the process. */
class LostAttemptsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .batchSize(10)
                    .retry(RetryPolicy.exponential(SECOND, Duration.ofMinutes(1))
                            .maxAttempts(3)))
            .build();

    private void schedule(String timerId, Duration delay) {
        kit.scheduler().schedule(Timer.after(timerId, delay).build());
    }

    private StoredTimer stored(String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow();
    }

    /** Makes the publisher kill any node that tries to deliver such an envelope. */
    private void killOn(Predicate<Envelope> deadly) {
        kit.publisher().onEach(envelope -> {
            if (deadly.test(envelope)) {
                kit.nodes().stream()
                        .filter(each -> each.clock().isRunningHere())
                        .forEach(KitNode::crash);
            }
        });
    }

    @Test
    void timersDueAtTheCrashAreCountedBeforeTheirDelivery() {
        schedule("a", SECOND);
        kit.node(0).crashBefore(StoreCall.SETTLE);
        kit.advance(SECOND);
        kit.addNode();
        kit.advance(Duration.ofSeconds(20));
        assertThat(kit.delivered("a")).extracting(Envelope::attempt).containsExactly(1, 1);
        assertThat(kit.delivered("a"))
                .extracting(Envelope::id)
                .containsOnly(stored("a").envelopeId());
        assertThat(stored("a").attempt()).isEqualTo(1);
        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void aTimerDueAfterTheLeaseBeginsAtAttemptOne() {
        schedule("a", LEASE.plus(SECOND));
        kit.node(0).crash();
        kit.addNode();
        kit.advance(Duration.ofSeconds(30));
        assertThat(kit).hasDeliveredOnce("a").lastOf("a").hasAttempt(1);
    }

    @Test
    void onlyTimersDueWithinTheLeaseAreCountedInAdvance() {
        schedule("within", LEASE);
        schedule("between", LEASE.plusNanos(1_000));
        kit.node(0).crash();
        killOn(envelope -> kit.nodes().size() == 2);
        kit.addNode();
        kit.advance(Duration.ofSeconds(30));
        kit.addNode();
        kit.advance(Duration.ofSeconds(30));
        assertThat(kit).lastOf("within").hasAttempt(2);
        assertThat(kit).lastOf("between").hasAttempt(1);
    }

    @Test
    void aTimerScheduledAfterTheLeaseBeginsAtAttemptOne() {
        kit.node(0).crash();
        kit.advance(LEASE.plus(SECOND));
        KitNode other = kit.addNode();
        other.scheduler().schedule(Timer.at("a", kit.now().minus(LEASE)).build());
        kit.advance(Duration.ofSeconds(30));
        assertThat(kit).hasDeliveredOnce("a").lastOf("a").hasAttempt(1);
    }

    @Test
    void aLostReplyWhileCountingCountsOnce() {
        schedule("a", SECOND);
        kit.node(0).crashBefore(StoreCall.SETTLE);
        kit.advance(SECOND);
        kit.addNode().failAfter(StoreCall.SETTLE);
        kit.advance(Duration.ofSeconds(20));
        assertThat(kit.delivered("a")).extracting(Envelope::attempt).containsExactly(1, 1);
        assertThat(stored("a").attempt()).isEqualTo(1);
    }

    @Test
    void timersOfAClosedNodeBeginAtAttemptOne() {
        schedule("a", SECOND);
        kit.node(0).close();
        kit.advance(Duration.ofSeconds(30));
        kit.addNode();
        kit.advance(Duration.ofSeconds(30));
        assertThat(kit).hasDeliveredOnce("a").lastOf("a").hasAttempt(1);
    }

    @Test
    void eachVanishedNodeCountsOneAttempt() {
        killOn(envelope -> envelope.attempt() < 3);
        schedule("a", SECOND);
        kit.advance(Duration.ofSeconds(2));
        kit.addNode();
        kit.advance(Duration.ofSeconds(30));
        kit.addNode();
        kit.advance(Duration.ofSeconds(30));
        kit.addNode();
        kit.advance(Duration.ofSeconds(30));
        assertThat(kit.delivered("a")).extracting(Envelope::attempt).containsExactly(1, 1, 2, 3);
        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void aTimerThatKillsEveryNodeEndsAsDead() {
        killOn(envelope -> envelope.key().timerId().equals("deadly"));
        schedule("deadly", SECOND);
        kit.advance(Duration.ofSeconds(2));
        for (int i = 0; i < 5; i++) {
            kit.addNode();
            kit.advance(Duration.ofSeconds(30));
        }
        assertThat(kit.delivered("deadly")).extracting(Envelope::attempt).containsExactly(1, 1, 2, 3);
        assertThat(stored("deadly").state()).isEqualTo(TimerState.DEAD);
        assertThat(stored("deadly").attempt()).isEqualTo(3);
        assertThat(Objects.requireNonNull(stored("deadly").failure()).error())
                .isEqualTo("no attempt is left after 3: each time the node vanished during the delivery");
    }

    @Test
    void aTimerBeyondALoweredLimitEndsWithItsLastError() {
        kit.publisher().failPartiallyOn(envelope -> envelope.key().timerId().equals("a"));
        schedule("a", SECOND);
        schedule("b", SECOND);
        kit.advance(SECOND);
        kit.node(0).close();
        kit.addNode(scheduler -> scheduler.retry(RetryPolicy.fixed(SECOND).maxAttempts(1)));
        kit.advance(Duration.ofSeconds(30));
        assertThat(stored("a").state()).isEqualTo(TimerState.DEAD);
        assertThat(Objects.requireNonNull(stored("a").failure()).error())
                .startsWith("no attempt is left after 1, at last java.io.IOException: refused")
                .contains("default/a");
    }

    @Test
    void aRestartedNodeOfTheSameNameCountsToo() {
        killOn(envelope -> envelope.attempt() < 2);
        schedule("a", SECOND);
        kit.advance(SECOND);
        kit.node(0).restart();
        kit.advance(Duration.ofSeconds(30));
        kit.node(0).restart();
        kit.advance(Duration.ofSeconds(30));
        assertThat(kit.delivered("a")).extracting(Envelope::attempt).containsExactly(1, 1, 2);
    }

    @Test
    void anOutageAfterATakeoverSpendsNoFurtherAttempts() {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 30)
                        .mapToObj(i -> Timer.after("t-" + i, SECOND).build())
                        .toList());
        kit.publisher().failAlways();
        kit.advance(SECOND);
        kit.node(0).crash();
        kit.addNode();
        kit.advance(Duration.ofMinutes(10));
        kit.publisher().recover();
        kit.advance(Duration.ofSeconds(5));
        assertThat(kit.delivered())
                .hasSize(30)
                .allSatisfy(each -> assertThat(each).hasAttempt(1));
    }

    @Test
    void aFailureOfTheStoreWhileCountingIsSurvived() {
        schedule("a", SECOND);
        kit.node(0).crashBefore(StoreCall.SETTLE);
        kit.advance(SECOND);
        kit.addNode().failBefore(StoreCall.SETTLE);
        kit.advance(Duration.ofSeconds(20));
        assertThat(kit.delivered("a")).extracting(Envelope::attempt).containsExactly(1, 1);
        assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
    }

    /** The timer that kills its nodes is in the middle of a backlog of several batches. */
    @Test
    void aTimerThatKillsTenNodesEndsNoOtherTimer() {
        killOn(envelope -> envelope.key().timerId().equals("t-24"));
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 60)
                        .mapToObj(
                                i -> Timer.after("t-" + i, SECOND.plusMillis(i)).build())
                        .toList());
        kit.advance(Duration.ofSeconds(2));
        for (int i = 0; i < 10; i++) {
            kit.addNode();
            kit.advance(Duration.ofSeconds(30));
        }
        assertThat(stored("t-24").state()).isEqualTo(TimerState.DEAD);
        assertThat(IntStream.range(0, 60).filter(i -> i != 24))
                .allSatisfy(i -> assertThat(stored("t-" + i).state()).isEqualTo(TimerState.REACHED));
    }

    /** A paused owner writes its failure after the new owner has read the timer, and before that one counts. */
    @Test
    void theErrorOfAPausedOwnerOutlivesTheCountOfTheNextOne() {
        schedule("a", SECOND);
        kit.node(0).crashBefore(StoreCall.SETTLE);
        kit.advance(SECOND);
        StoredTimer read = stored("a");
        Failure failure = new Failure("java.io.IOException: of the paused owner", kit.now(), kit.now());
        kit.node(0).restart();
        AtomicBoolean written = new AtomicBoolean();
        kit.node(0).storeDown(call -> {
            if (call == StoreCall.SETTLE && !written.getAndSet(true)) {
                Settlement late = new Settlement.Retried(
                        read.key(), read.generation(), kit.now().plusSeconds(5), 1, failure);
                assertThat(kit.store().settle(List.of(late))).isEqualTo(1);
            }
            return false;
        });
        killOn(envelope -> true);
        kit.advance(Duration.ofSeconds(20));

        assertThat(kit.delivered("a")).extracting(Envelope::attempt).containsExactly(1, 1);
        assertThat(stored("a").failure()).isEqualTo(failure);
    }
}
