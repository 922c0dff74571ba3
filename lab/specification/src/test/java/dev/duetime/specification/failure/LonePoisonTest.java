package dev.duetime.specification.failure;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.specification.LogLines;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests of a timer that fails while nothing else is due. */
class LonePoisonTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final LogLines lines = LogLines.ofDuetime();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.retry(
                    RetryPolicy.exponential(SECOND, Duration.ofMinutes(5)).maxAttempts(5)))
            .build();

    @AfterEach
    void close() {
        lines.close();
    }

    private StoredTimer stored(String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow();
    }

    private void schedule(String timerId) {
        kit.scheduler().schedule(Timer.after(timerId, Duration.ZERO).build());
    }

    @Nested
    class ThatThePublisherNames {
        @Test
        void spendsItsAttemptsAlthoughNothingElseGetsThrough() {
            kit.publisher().failPartiallyOn(each -> true);
            schedule("bad");
            kit.runDue();
            assertThat(stored("bad").attempt()).isEqualTo(1);
            kit.advance(Duration.ofHours(1));
            assertThat(stored("bad").state()).isEqualTo(TimerState.DEAD);
            assertThat(stored("bad").attempt()).isEqualTo(5);
            assertThat(kit.publisher().calls()).isEqualTo(5);
        }

        @Test
        void isNoOutage() {
            kit.publisher().failPartiallyOn(each -> true);
            schedule("bad");
            kit.advance(Duration.ofMinutes(10));
            assertThat(lines.messages(Level.WARN)).noneMatch(each -> each.contains("unavailable"));
        }

        @Test
        void countsEvenIfThePublisherNamesAllOfThousands() {
            kit.publisher().failPartiallyOn(each -> true);
            kit.scheduler()
                    .scheduleAll(IntStream.range(0, 2_000)
                            .mapToObj(i -> Timer.after("bad-" + i, SECOND).build())
                            .toList());
            kit.advance(SECOND);
            assertThat(kit.scheduler()
                            .query(TimerQuery.all().state(TimerState.SCHEDULED).limit(2_000)))
                    .hasSize(2_000)
                    .allSatisfy(each -> {
                        assertThat(each.attempt()).isEqualTo(1);
                        assertThat(each.failure()).isNotNull();
                    });
        }
    }

    @Nested
    class OfWhichNothingIsKnown {
        @Test
        void showsItsLastErrorOnItsRow() {
            kit.publisher().failOn(each -> true);
            schedule("bad");
            kit.advance(Duration.ofMinutes(10));
            Failure failure = Objects.requireNonNull(stored("bad").failure());
            assertThat(failure.error()).contains("IOException", "failOn");
            assertThat(failure.firstAt()).isEqualTo(TestClock.START);
            assertThat(failure.lastAt()).isAfter(kit.now().minus(Duration.ofMinutes(2)));
            assertThat(stored("bad").attempt()).isZero();
            assertThat(stored("bad").wakeAt()).isEqualTo(TestClock.START);
        }

        @Test
        void writesItsErrorOnceAMinuteAtMost() {
            kit.publisher().failOn(each -> true);
            schedule("bad");
            int before = kit.node(0).calls(StoreCall.SETTLE);
            kit.advance(Duration.ofMinutes(10));
            assertThat(kit.node(0).calls(StoreCall.SETTLE) - before).isBetween(1, 11);
        }

        @Test
        void isNotLoggedAsManyShortOutages() {
            kit.publisher().failOn(each -> each.key().timerId().equals("bad"));
            schedule("bad");
            for (int i = 0; i < 600; i++) {
                schedule("good-" + i);
                kit.advance(SECOND);
            }
            assertThat(kit).hasDeliveredCount(600);
            assertThat(lines.messages(Level.WARN).stream().filter(each -> each.contains("unavailable")))
                    .hasSizeLessThanOrEqualTo(3);
            assertThat(lines.messages(Level.INFO).stream().filter(each -> each.contains("is back")))
                    .hasSizeLessThanOrEqualTo(3);
        }
    }

    @Test
    void theLogHasThePlaceOfAnErrorButNotItsMessage() {
        kit.publisher().failAlways();
        schedule("any");
        kit.advance(SECOND);
        assertThat(lines.messages(Level.WARN))
                .singleElement()
                .asString()
                .contains("java.io.IOException", "InMemoryPublisher", "InMemoryPublisher.java:")
                .doesNotContain("failAlways");
    }
}
