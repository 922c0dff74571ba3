package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests of when and in which order timers are delivered, and what an envelope says. */
class DeliveryTest {
    private static final Duration TICK = Duration.ofNanos(1_000);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final RecordingListener listener = new RecordingListener();
    private final List<Integer> batches = new ArrayList<>();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.batchSize(100).listener(listener).publisher(batch -> {
                batches.add(batch.size());
                publish(batch);
            }))
            .build();

    private void publish(List<Envelope> batch) throws Exception {
        kit.publisher().publish(batch);
    }

    private void schedule(String timerId, Duration delay) {
        kit.scheduler().schedule(Timer.after(timerId, delay).build());
    }

    private StoredTimer stored(String timerId) {
        return kit.scheduler().find(TimerKey.of(timerId)).orElseThrow();
    }

    @Nested
    class Time {
        @Test
        void aTimerFiresExactlyAtItsDueTime() {
            schedule("a", SECOND);
            kit.advance(SECOND.minus(TICK));
            assertThat(kit).hasDeliveredNothing();
            kit.advance(TICK);
            assertThat(kit)
                    .lastOf("a")
                    .wasReachedAt(kit.now())
                    .wasDueAt(kit.now())
                    .hasAttempt(1);
        }

        @Test
        void aDueTimeBetweenTwoMicrosecondsIsRoundedUp() {
            Instant dueAt = kit.now().plusNanos(5_001);
            kit.scheduler().schedule(Timer.at("a", dueAt).build());
            kit.advance(Duration.ofNanos(5_000));
            assertThat(kit).hasDeliveredNothing();
            kit.advance(TICK);
            assertThat(kit).lastOf("a").wasReachedAt(TestClock.START.plusNanos(6_000));
        }

        @Test
        void severalFireInOrderAtTheirExactTimes() {
            for (int seconds : List.of(70, 3, 40, 12)) {
                schedule("t-" + seconds, Duration.ofSeconds(seconds));
            }
            kit.advance(Duration.ofMinutes(5));
            assertThat(kit).hasDeliveredInOrder("t-3", "t-12", "t-40", "t-70");
            assertThat(kit.delivered())
                    .allSatisfy(each -> assertThat(each.event().lateness()).isZero());
        }

        @Test
        void aTimerBetweenTwoPollsIsAsPunctualAsAnyOther() {
            kit.advance(SECOND);
            schedule("a", Duration.ofMillis(50));
            kit.advance(SECOND);
            assertThat(kit).lastOf("a").wasReachedAt(TestClock.START.plusMillis(1_050));
        }

        @Test
        void anEarlierTimerScheduledLaterIsOnTime() {
            schedule("late", Duration.ofSeconds(4));
            kit.advance(SECOND);
            schedule("early", SECOND);
            kit.advance(Duration.ofSeconds(5));
            assertThat(kit).hasDeliveredInOrder("early", "late");
            assertThat(kit).lastOf("early").wasReachedAt(TestClock.START.plusSeconds(2));
        }

        @Test
        void aPastDueTimeFiresAtOnce() {
            Instant past = kit.now().minus(Duration.ofDays(3));
            kit.scheduler().schedule(Timer.at("a", past).build());
            kit.runDue();
            assertThat(kit).lastOf("a").wasDueAt(past).wasReachedAt(TestClock.START);
        }

        @Test
        void aTimerFarInTheFutureFiresAtItsTime() {
            TimerKit patient = TimerKit.builder()
                    .configure(scheduler -> scheduler.pollInterval(HOUR).leaseDuration(HOUR))
                    .build();
            patient.scheduler()
                    .schedule(Timer.after("a", Duration.ofDays(40).plus(TICK)).build());
            patient.advance(Duration.ofDays(40));
            assertThat(patient).hasDeliveredNothing();
            patient.advance(TICK);
            assertThat(patient).hasDeliveredOnce("a");
        }

        @Test
        void aTimerScheduledByThePublisherFiresInTheSameInstant() {
            kit.publisher().onEach(envelope -> {
                int number = Integer.parseInt(envelope.key().timerId());
                if (number < 5) {
                    schedule("" + (number + 1), Duration.ZERO);
                }
            });
            schedule("1", SECOND);
            kit.advance(SECOND);
            assertThat(kit).hasDeliveredInOrder("1", "2", "3", "4", "5");
            assertThat(kit).lastOf("5").wasReachedAt(kit.now());
        }

        @Test
        void timersScheduledBeforeTheStartFireAfterIt() {
            TimerKit later = TimerKit.builder().notStarted().build();
            later.scheduler().schedule(Timer.after("a", SECOND).build());
            later.scheduler().schedule(Timer.after("b", Duration.ofSeconds(20)).build());
            later.advance(Duration.ofSeconds(10));
            later.node(0).start();
            later.advance(Duration.ofSeconds(10));
            assertThat(later).hasDeliveredInOrder("a", "b");
            assertThat(later).lastOf("a").wasReachedAt(TestClock.START.plusSeconds(10));
            assertThat(later).lastOf("b").wasReachedAt(TestClock.START.plusSeconds(20));
        }
    }

    @Nested
    class Batches {
        @Test
        void aLargeBacklogIsDeliveredInOneInstant() {
            schedule(1_050);
            kit.advance(SECOND);
            assertThat(kit).hasDeliveredCount(1_050);
            assertThat(kit.delivered())
                    .allSatisfy(each -> assertThat(each.event().lateness()).isZero());
        }

        @Test
        void noBatchIsLargerThanTheBatchSize() {
            schedule(1_050);
            kit.advance(SECOND);
            assertThat(batches).containsOnly(100, 50);
        }

        @Test
        void noBatchIsEmpty() {
            schedule(200);
            kit.advance(Duration.ofMinutes(1));
            assertThat(batches).containsExactly(100, 100);
        }

        @Test
        void theOldestComeFirstInABatchAndFromBatchToBatch() {
            IntStream.range(0, 250)
                    .map(i -> (i * 101) % 250)
                    .forEach(i -> kit.scheduler()
                            .schedule(Timer.at("" + i, kit.now().minusSeconds(1_000 - i))
                                    .build()));
            kit.runDue();
            assertThat(kit.delivered())
                    .extracting(each -> each.key().timerId())
                    .containsExactlyElementsOf(
                            IntStream.range(0, 250).mapToObj(String::valueOf).toList());
        }

        @Test
        void higherPriorityComesFirstThenTheOlder() {
            kit.scheduler()
                    .scheduleAll(List.of(
                            Timer.after("low", SECOND).priority(-1).build(),
                            Timer.after("younger", Duration.ofSeconds(2)).build(),
                            Timer.after("older", SECOND).build(),
                            Timer.after("high", Duration.ofSeconds(3))
                                    .priority(7)
                                    .build()));
            kit.node(0).pause();
            kit.advance(Duration.ofSeconds(3));
            kit.node(0).resume();
            kit.runDue();
            assertThat(kit).hasDeliveredInOrder("high", "older", "younger", "low");
        }

        private void schedule(int count) {
            Timer[] timers = IntStream.range(0, count)
                    .mapToObj(i -> Timer.after("t-" + i, SECOND).build())
                    .toArray(Timer[]::new);
            kit.scheduler().scheduleAll(List.of(timers));
        }
    }

    @Nested
    class WhatIsTold {
        @Test
        void theEnvelopeHasTheScheduledContent() {
            kit.scheduler()
                    .schedule(Timer.after(TimerKey.of("acme", "order-17"), SECOND)
                            .type("payment-timeout")
                            .payload(List.of(1, 2))
                            .correlationId("c-9")
                            .header("traceparent", "00-1")
                            .priority(3)
                            .build());
            kit.advance(SECOND);
            assertThat(kit)
                    .lastOf(TimerKey.of("acme", "order-17"))
                    .hasType("payment-timeout")
                    .hasQueue("default")
                    .hasPayload(List.of(1, 2), List.class)
                    .hasCorrelationId("c-9")
                    .hasHeader("traceparent", "00-1");
            assertThat(kit.delivered().get(0).priority()).isEqualTo(3);
        }

        @Test
        void theEnvelopeHasTheIdThatScheduleReturned() {
            String id =
                    kit.scheduler().schedule(Timer.after("a", SECOND).build()).envelopeId();
            kit.advance(SECOND);
            assertThat(kit).lastOf("a").hasId(id);
        }

        @Test
        void aDeliveredTimerIsReachedAtThatTimeByOneAttempt() {
            schedule("a", SECOND);
            kit.advance(Duration.ofMinutes(1));
            StoredTimer timer = stored("a");
            assertThat(timer.state()).isEqualTo(TimerState.REACHED);
            assertThat(timer.settledAt()).isEqualTo(TestClock.START.plus(SECOND));
            assertThat(timer.attempt()).isEqualTo(1);
            assertThat(timer.failure()).isNull();
            assertThat(timer.wakeAt()).isNull();
        }

        @Test
        void theListenerIsCalledForEachDelivery() {
            schedule("a", SECOND);
            schedule("b", Duration.ofSeconds(2));
            kit.advance(SECOND);
            assertThat(listener.delivered).containsExactly("a");
            kit.advance(SECOND);
            assertThat(listener.delivered).containsExactly("a", "b");
            assertThat(listener.failed).isEmpty();
            assertThat(listener.overtaken).isZero();
        }
    }
}
