package dev.duetime.specification.operate;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of how long ended timers are kept. */
class HousekeepingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration A_TURN = Duration.ofMinutes(1);

    private final TimerKit kit = kit(HOUR);

    private static TimerKit kit(Duration retention) {
        return TimerKit.builder()
                .configure(scheduler -> scheduler
                        .retention(retention)
                        .retry(RetryPolicy.exponential(SECOND, SECOND).maxAttempts(1)))
                .build();
    }

    private static boolean exists(TimerKit kit, String timerId) {
        return kit.store().find(TimerKey.of(timerId)).isPresent();
    }

    @Test
    void aReachedTimerIsKeptForTheRetentionAndPurgedSoonAfter() {
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        kit.advance(SECOND.plus(HOUR));
        assertThat(exists(kit, "a")).isTrue();
        assertThat(kit.scheduler().schedule(Timer.after("a", SECOND).build())).isIgnored(TimerState.REACHED);
        kit.advance(A_TURN);
        assertThat(exists(kit, "a")).isFalse();
        assertThat(kit.scheduler().schedule(Timer.after("a", SECOND).build())).isCreated();
    }

    @Test
    void anExpiredAndACancelledTimerArePurgedToo() {
        kit.scheduler().schedule(Timer.after("cancelled", HOUR).build());
        kit.scheduler().cancel(TimerKey.of("cancelled"));
        kit.scheduler()
                .schedule(Timer.at("expired", kit.now().minusSeconds(9))
                        .expiresAt(kit.now())
                        .build());
        kit.node(0).pause();
        kit.advance(Duration.ofNanos(1_000));
        kit.node(0).resume();
        kit.advance(HOUR);
        assertThat(exists(kit, "cancelled")).isTrue();
        assertThat(exists(kit, "expired")).isTrue();
        kit.advance(A_TURN);
        assertThat(exists(kit, "cancelled")).isFalse();
        assertThat(exists(kit, "expired")).isFalse();
    }

    @Test
    void aScheduledTimerIsNeverPurged() {
        kit.scheduler().schedule(Timer.after("a", Duration.ofDays(3)).build());
        kit.advance(Duration.ofDays(2));
        assertThat(exists(kit, "a")).isTrue();
    }

    @Test
    void aDeadTimerIsKeptForEver() {
        kit.publisher().failPartiallyOn(envelope -> envelope.key().timerId().equals("bad"));
        kit.scheduler().schedule(Timer.after("bad", SECOND).build());
        kit.scheduler().schedule(Timer.after("good", SECOND).build());
        kit.advance(Duration.ofDays(1));
        assertThat(exists(kit, "good")).isFalse();
        assertThat(kit.store().find(TimerKey.of("bad")).orElseThrow().state()).isEqualTo(TimerState.DEAD);
    }

    @Test
    void aRetentionOfZeroDeletesWithTheDelivery() {
        TimerKit forgetful = kit(Duration.ZERO);
        forgetful.scheduler().schedule(Timer.after("a", SECOND).build());
        forgetful.advance(SECOND);
        assertThat(forgetful).hasDeliveredOnce("a");
        assertThat(exists(forgetful, "a")).isFalse();
    }

    @Test
    void aRetentionOfZeroStillKeepsDeadTimers() {
        TimerKit forgetful = kit(Duration.ZERO);
        forgetful
                .publisher()
                .failPartiallyOn(envelope -> envelope.key().timerId().equals("bad"));
        forgetful.scheduler().schedule(Timer.after("bad", SECOND).build());
        forgetful.scheduler().schedule(Timer.after("good", SECOND).build());
        forgetful.advance(HOUR);
        assertThat(forgetful.store().query(TimerQuery.all()))
                .singleElement()
                .satisfies(timer -> assertThat(timer.state()).isEqualTo(TimerState.DEAD));
    }

    @Test
    void moreTimersThanOneStatementDeletesArePurgedInOneTurn() {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 2_500)
                        .mapToObj(i -> Timer.after("t-" + i, SECOND).build())
                        .toList());
        kit.advance(SECOND.plus(HOUR).plus(A_TURN));
        assertThat(kit.store().query(TimerQuery.all())).isEmpty();
    }

    @Test
    void eachQueueHasItsRetention() {
        TimerKit two = TimerKit.builder()
                .configure(scheduler -> scheduler
                        .retention(HOUR)
                        .queue(
                                "long",
                                queue -> queue.retention(Duration.ofDays(2)).publisher(batch -> {})))
                .build();
        two.scheduler().schedule(Timer.after("short", SECOND).build());
        two.scheduler().schedule(Timer.after("long", SECOND).queue("long").build());
        two.advance(Duration.ofDays(1));
        assertThat(exists(two, "short")).isFalse();
        assertThat(exists(two, "long")).isTrue();
        two.advance(Duration.ofDays(1).plus(A_TURN).plus(SECOND));
        assertThat(exists(two, "long")).isFalse();
    }

    @Test
    void anEmptyQueueIsPurgedOnceAMinute() {
        kit.clock().everyTurn(true);
        kit.advance(A_TURN.multipliedBy(10));
        assertThat(kit.node(0).calls(StoreCall.PURGE)).isBetween(10, 11);
    }

    @Test
    void aFailureOfTheStoreIsSurvived() {
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        kit.advance(HOUR);
        kit.node(0).failBefore(StoreCall.PURGE);
        kit.advance(A_TURN.multipliedBy(3));
        assertThat(exists(kit, "a")).isFalse();
    }

    /** A deletion may fail every time, for example because a trigger refuses it. */
    @Test
    void aQueueWhoseDeletionFailsDelaysThatOfNoOther() {
        AtomicInteger batches = new AtomicInteger();
        InMemoryScheduleStore intact = new InMemoryScheduleStore(kit.clock());
        ScheduleStore store = new PassThroughStore(intact) {
            @Override
            public int purge(String queue, Instant before, int limit) {
                if (queue.equals("broken")) {
                    throw new StoreException("purge", queue, new IllegalStateException());
                }
                return batches.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? limit : 0;
            }
        };
        TimerKit broken = TimerKit.builder()
                .store(store)
                .configure(
                        scheduler -> scheduler.retention(HOUR).queue("broken", queue -> queue.publisher(batch -> {})))
                .build();
        broken.advance(A_TURN.multipliedBy(10));
        batches.set(50);

        broken.advance(A_TURN.multipliedBy(2));

        assertThat(batches).hasValue(0);
    }
}
