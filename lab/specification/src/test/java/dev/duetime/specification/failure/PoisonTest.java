package dev.duetime.specification.failure;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that envelopes which cannot be delivered are retried alone and delay no others. */
class PoisonTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int TIMERS = 1_000;

    private final RecordingListener listener = new RecordingListener();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .listener(listener)
                    .retry(RetryPolicy.exponential(Duration.ofSeconds(10), Duration.ofMinutes(5))
                            .maxAttempts(4)))
            .build();

    private static boolean isBad(Envelope envelope) {
        return envelope.key().timerId().startsWith("bad");
    }

    private StoredTimer stored(String timerId) {
        return kit.scheduler().find(TimerKey.of(timerId)).orElseThrow();
    }

    /** Schedules a thousand timers, due in this order within a second from now; some are poison. */
    private void scheduleThousand(IntPredicate bad) {
        Instant from = kit.now();
        kit.scheduler()
                .scheduleAll(IntStream.range(0, TIMERS)
                        .mapToObj(i -> Timer.at((bad.test(i) ? "bad-" : "t-") + i, from.plusMillis(i))
                                .build())
                        .toList());
    }

    /** Lets all of them be due at the same time. */
    private void deliverTogether() {
        kit.node(0).pause();
        kit.advance(SECOND);
        kit.node(0).resume();
        kit.runDue();
    }

    @Nested
    class OneAmongAThousand {
        @ParameterizedTest
        @ValueSource(ints = {0, 1, 250, 498, 499, 500, 501, 777, 999})
        void holdsBackNoneOfTheOthersWhereverItStands(int position) {
            kit.publisher().failOn(PoisonTest::isBad);
            scheduleThousand(i -> i == position);
            deliverTogether();
            assertThat(kit).hasDeliveredCount(TIMERS - 1).hasNotDelivered("bad-" + position);
            assertThat(kit.delivered())
                    .allSatisfy(each -> assertThat(each).wasReachedAt(kit.now()).hasAttempt(1));
        }

        @Test
        void isDeliveredInDueOrderOtherwise() {
            kit.publisher().failOn(PoisonTest::isBad);
            scheduleThousand(i -> i == 250);
            deliverTogether();
            assertThat(kit.delivered())
                    .isSortedAccordingTo(
                            Comparator.comparing((Envelope each) -> each.event().dueAt()));
        }

        @Test
        void repeatsNoneOfTheOthers() {
            kit.publisher().failOn(PoisonTest::isBad);
            scheduleThousand(i -> i == 250);
            deliverTogether();
            kit.advance(Duration.ofHours(1));
            assertThat(kit).hasDeliveredCount(TIMERS - 1);
        }

        @Test
        void isFoundWithFewCalls() {
            kit.publisher().failOn(PoisonTest::isBad);
            scheduleThousand(i -> i == 250);
            deliverTogether();
            assertThat(kit.publisher().calls()).isLessThan(30);
        }

        @Test
        void hasOneAttemptAndKeepsItsFailure() {
            kit.publisher().failOn(PoisonTest::isBad);
            scheduleThousand(i -> i == 250);
            deliverTogether();
            StoredTimer bad = stored("bad-250");
            assertThat(bad.state()).isEqualTo(TimerState.SCHEDULED);
            assertThat(bad.attempt()).isEqualTo(1);
            StoredTimer.Failure failure = Objects.requireNonNull(bad.failure());
            assertThat(failure.error()).contains("IOException", "failOn");
            assertThat(failure.firstAt()).isEqualTo(failure.lastAt()).isEqualTo(kit.now());
            assertThat(listener.failed).containsExactly("bad-250");
        }

        @Test
        void isDeliveredOnceRepairedUnderTheSameId() {
            kit.publisher().failOn(PoisonTest::isBad);
            scheduleThousand(i -> i == 250);
            String id = stored("bad-250").envelopeId();
            deliverTogether();
            kit.publisher().recover();
            kit.advance(Duration.ofSeconds(10));
            assertThat(kit)
                    .hasDeliveredOnce("bad-250")
                    .lastOf("bad-250")
                    .hasId(id)
                    .hasAttempt(2);
            assertThat(stored("bad-250").state()).isEqualTo(TimerState.REACHED);
            assertThat(stored("bad-250").attempt()).isEqualTo(2);
            assertThat(stored("bad-250").failure()).isNotNull();
        }
    }

    @Nested
    class Many {
        @ParameterizedTest
        @ValueSource(strings = {"spread", "first", "last", "block"})
        void holdUpTheOthersForNoMoreThanAFewSeconds(String where) {
            kit.publisher().failOn(PoisonTest::isBad);
            scheduleThousand(
                    switch (where) {
                        case "spread" -> i -> i % 10 == 3;
                        case "first" -> i -> i < 100;
                        case "last" -> i -> i >= 900;
                        default -> i -> i >= 450 && i < 550;
                    });
            deliverTogether();
            kit.advance(Duration.ofSeconds(5));
            assertThat(kit).hasDeliveredCount(900);
            assertThat(kit.delivered()).noneMatch(PoisonTest::isBad);
        }

        @Test
        void areEachRetriedToTheirEndWhileOthersGetThrough() {
            kit.publisher().failOn(PoisonTest::isBad);
            scheduleThousand(i -> i % 10 == 3);
            deliverTogether();
            for (int i = 0; i < 600; i++) {
                kit.scheduler()
                        .schedule(Timer.after("healthy-" + i, Duration.ZERO).build());
                kit.advance(SECOND);
            }
            assertThat(kit).hasDeliveredCount(900 + 600);
            assertThat(stored("bad-3").state()).isEqualTo(TimerState.DEAD);
            assertThat(stored("bad-993").state()).isEqualTo(TimerState.DEAD);
            assertThat(listener.failed).hasSize(4 * 100);
        }

        @Test
        void doNotStarveOthersAlthoughTheyFillABatch() {
            kit.publisher().failOn(PoisonTest::isBad);
            scheduleThousand(i -> i < 600);
            deliverTogether();
            kit.advance(Duration.ofMinutes(5));
            assertThat(kit).hasDeliveredCount(400);
        }

        @Test
        void thatThePublisherNamesDelayNoOthers() {
            kit.publisher().failPartiallyOn(PoisonTest::isBad);
            scheduleThousand(i -> i % 10 == 3);
            deliverTogether();
            assertThat(kit).hasDeliveredCount(900);
            assertThat(kit.publisher().calls()).isEqualTo(2);
            assertThat(Objects.requireNonNull(stored("bad-3").failure()).error())
                    .contains("default/bad-3");
        }
    }

    @Nested
    class Alone {
        @Test
        void aLonePoisonTimerDelaysAnotherTimerByASecondAtMost() {
            kit.publisher().failOn(PoisonTest::isBad);
            kit.scheduler().schedule(Timer.after("bad", Duration.ZERO).build());
            kit.advance(Duration.ofMinutes(10));
            for (int i = 0; i < 60; i++) {
                kit.scheduler()
                        .schedule(Timer.after("t-" + i, Duration.ofMillis(317)).build());
                kit.advance(Duration.ofSeconds(20));
            }
            assertThat(kit.delivered())
                    .hasSize(60)
                    .allSatisfy(each -> assertThat(each.event().lateness()).isLessThanOrEqualTo(SECOND));
        }

        @Test
        void aLonePoisonTimerIsRetriedWithoutAttemptsUntilOthersGetThrough() {
            kit.publisher().failOn(PoisonTest::isBad);
            kit.scheduler().schedule(Timer.after("bad", Duration.ZERO).build());
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit.publisher().calls()).isBetween(60, 90);
            assertThat(stored("bad").attempt()).isZero();
            kit.scheduler().schedule(Timer.after("good", Duration.ZERO).build());
            kit.advance(SECOND);
            assertThat(stored("bad").attempt()).isEqualTo(1);
        }
    }
}
