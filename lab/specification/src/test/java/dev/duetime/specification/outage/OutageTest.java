package dev.duetime.specification.outage;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of an outage of the publisher: an outage is not a poison message. */
class OutageTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int TIMERS = 1_000;

    private final RecordingListener listener = new RecordingListener();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .listener(listener)
                    .retry(RetryPolicy.exponential(SECOND, Duration.ofMinutes(5))
                            .maxAttempts(3)))
            .build();

    /** Schedules timers that fall due one after the other in the coming second. */
    private void scheduleThousand() {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, TIMERS)
                        .mapToObj(
                                i -> Timer.after("t-" + i, Duration.ofMillis(i)).build())
                        .toList());
    }

    private List<StoredTimer> stored(TimerState state) {
        return kit.scheduler().query(TimerQuery.all().state(state).limit(TIMERS));
    }

    @Test
    void afterAnOutageAllIsDeliveredWithinTwoSecondsInOrderAndNoAttemptIsSpent() {
        scheduleThousand();
        kit.publisher().failAlways();
        kit.advance(Duration.ofMinutes(5));
        assertThat(kit).hasDeliveredNothing();
        assertThat(stored(TimerState.SCHEDULED)).hasSize(TIMERS).allSatisfy(each -> {
            assertThat(each.attempt()).isZero();
            // The first timer was due alone, so its row shows the error.
            assertThat(each.failure() == null).isEqualTo(!each.key().timerId().equals("t-0"));
        });
        kit.publisher().recover();
        kit.advance(Duration.ofSeconds(2));
        assertThat(kit.delivered())
                .hasSize(TIMERS)
                .isSortedAccordingTo(
                        Comparator.comparing((Envelope each) -> each.event().dueAt()))
                .allSatisfy(each -> assertThat(each).hasAttempt(1));
        assertThat(stored(TimerState.REACHED))
                .hasSize(TIMERS)
                .filteredOn(each -> each.failure() != null)
                .hasSize(1);
        assertThat(listener.failed).isEmpty();
    }

    @Tag("full")
    @Test
    void timersOfATwoHourOutageAreDeliveredOnceInOrder() {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 720)
                        .mapToObj(i -> Timer.after("t-" + i, SECOND.multipliedBy(i * 70L % 7_200))
                                .build())
                        .toList());
        kit.publisher().failAlways();
        kit.advance(Duration.ofHours(2));
        kit.publisher().recover();
        kit.advance(Duration.ofSeconds(2));
        assertThat(kit.delivered())
                .hasSize(720)
                .isSortedAccordingTo(
                        Comparator.comparing((Envelope each) -> each.event().dueAt()))
                .allSatisfy(each -> assertThat(each).hasAttempt(1));
        assertThat(kit.delivered()).extracting(Envelope::key).doesNotHaveDuplicates();
        assertThat(stored(TimerState.DEAD)).isEmpty();
        assertThat(stored(TimerState.SCHEDULED)).isEmpty();
    }

    @Test
    void thePublisherIsRetriedOnlyAFewTimesASecond() {
        scheduleThousand();
        kit.advance(Duration.ofSeconds(2));
        kit.publisher().clear();
        kit.publisher().failAlways();
        kit.scheduler().schedule(Timer.after("another", SECOND).build());
        kit.advance(Duration.ofMinutes(10));
        assertThat(kit.publisher().calls()).isBetween(600, 4 * 600);
    }

    @Test
    void thePublisherIsRetriedRarelyHoweverMuchIsDue() {
        scheduleThousand();
        kit.publisher().failAlways();
        kit.advance(Duration.ofMinutes(2));
        assertThat(kit.publisher().calls()).isBetween(120, 4 * 120);
    }

    @Test
    void aShortOutageDelaysByAtMostTwiceItsLength() {
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        kit.publisher().failNext(1);
        kit.advance(SECOND.plusMillis(50));
        assertThat(kit).hasDeliveredOnce("a");
        assertThat(kit).lastOf("a").hasAttempt(1);
    }

    @Test
    void timersScheduledMeanwhileAreDeliveredAfterwards() {
        kit.publisher().failAlways();
        kit.scheduler().schedule(Timer.after("first", SECOND).build());
        kit.advance(Duration.ofMinutes(10));
        kit.scheduler().schedule(Timer.after("second", SECOND).build());
        kit.advance(Duration.ofMinutes(10));
        kit.publisher().recover();
        kit.advance(Duration.ofSeconds(2));
        assertThat(kit).hasDeliveredInOrder("first", "second");
    }

    @Test
    void theEndIsNoticedAlthoughNothingNewIsDue() {
        kit.publisher().failAlways();
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        kit.advance(Duration.ofMinutes(10));
        kit.publisher().recover();
        Instant recovered = kit.now();
        kit.advance(Duration.ofMinutes(1));
        assertThat(kit.delivered("a"))
                .singleElement()
                .satisfies(each -> assertThat(each.event().reachedAt()).isBetween(recovered, recovered.plus(SECOND)));
    }

    @Test
    void aPublisherThatAcceptsAndThrowsCausesRepeatsWithTheSameId() {
        kit.publisher().acceptSilently(1);
        scheduleThousand();
        kit.advance(Duration.ofSeconds(5));
        assertThat(stored(TimerState.REACHED)).hasSize(TIMERS);
        assertThat(kit.delivered()).hasSizeGreaterThan(TIMERS);
        assertThat(kit.delivered().stream().map(Envelope::id).distinct()).hasSize(TIMERS);
    }

    @Test
    void anOutageDuringAPoisonSearchSpendsFewAttempts() {
        int[] calls = {0};
        TimerKit unlucky = TimerKit.builder()
                .configure(scheduler -> scheduler.publisher(batch -> {
                    // The batch is refused, one envelope gets through, and then the broker is gone.
                    if (++calls[0] != 2) {
                        throw new IOException("refused");
                    }
                }))
                .build();
        unlucky.scheduler()
                .scheduleAll(IntStream.range(0, 400)
                        .mapToObj(i -> Timer.after("t-" + i, SECOND).build())
                        .toList());
        unlucky.advance(Duration.ofMinutes(10));
        List<StoredTimer> left = unlucky.scheduler()
                .query(TimerQuery.all().state(TimerState.SCHEDULED).limit(400));
        assertThat(left).hasSize(399);
        assertThat(left.stream().filter(each -> each.attempt() > 0)).hasSizeLessThan(10);
    }

    @Test
    void anErrorOfThePublisherIsSurvivedLikeAnException() {
        int[] calls = {0};
        TimerKit clumsy = TimerKit.builder()
                .configure(scheduler -> scheduler.publisher(batch -> {
                    if (calls[0]++ < 3) {
                        throw new NoClassDefFoundError("dev/example/Missing");
                    }
                }))
                .build();
        clumsy.scheduler().schedule(Timer.after("a", SECOND).build());
        clumsy.advance(Duration.ofSeconds(5));
        assertThat(clumsy.scheduler().query(TimerQuery.all().state(TimerState.REACHED)))
                .hasSize(1);
        assertThat(calls[0]).isEqualTo(4);
    }
}
