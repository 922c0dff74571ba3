package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.listener.TimerListener;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule that other tenants do not wait until the expired or skipped timers of one tenant are worked off. */
class OthersBesideExpiryTest {
    private static final int MANY = 20_000;
    private static final int BATCH = 100;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** How long the work on each timer that is over takes. */
    private static final Duration EACH = Duration.ofNanos(500_000);

    private final List<String> expired = new ArrayList<>();
    private final Set<String> skipped = new HashSet<>();
    private final TimerListener listener = new TimerListener() {
        @Override
        public void expired(StoredTimer timer, ExpiryReason reason) {
            expired.add(timer.key().timerId());
            kit.clock().linger(EACH);
        }

        @Override
        public void skipped(StoredTimer timer, @Nullable Instant next) {
            skipped.add(timer.key().timerId());
            kit.clock().linger(EACH);
        }
    };

    private final Map<String, Instant> reachedAt = new HashMap<>();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.listener(listener).batchSize(BATCH))
            .build();

    /** Schedules a backlog of one tenant, lets an hour pass, and schedules timers of another one. */
    private void miss(IntFunction<Timer> backlog) {
        kit.publisher().onEach(envelope -> reachedAt.putIfAbsent(envelope.key().timerId(), kit.now()));
        kit.node(0).pause();
        kit.scheduler().scheduleAll(IntStream.range(0, MANY).mapToObj(backlog).toList());
        kit.advance(HOUR);
        for (int i = 1; i <= 5; i++) {
            kit.scheduler()
                    .schedule(Timer.after(TimerKey.of("good", "g" + i), SECOND.multipliedBy(i))
                            .build());
        }
        kit.node(0).resume();
    }

    private static Timer expiring(int i) {
        return Timer.after(TimerKey.of("bad", "t" + i), Duration.ofMillis(i))
                .validFor(SECOND)
                .build();
    }

    private void othersCameInTime(Instant started) {
        for (int i = 1; i <= 5; i++) {
            assertThat(reachedAt.get("g" + i))
                    .as("g" + i)
                    .isBeforeOrEqualTo(started.plus(SECOND.multipliedBy(i)).plusMillis(600));
        }
    }

    @Test
    void timersThatBecomeDueAreDeliveredWhileABacklogExpires() {
        miss(OthersBesideExpiryTest::expiring);
        Instant started = kit.now();
        kit.advance(Duration.ofSeconds(15));
        othersCameInTime(started);
        assertThat(expired).hasSize(MANY).doesNotHaveDuplicates();
    }

    @Test
    void aTimerAmongExpiredOnesIsDeliveredInTheFirstTurns() {
        miss(i -> i == 10
                ? Timer.after(TimerKey.of("good", "among"), Duration.ofMillis(i))
                        .build()
                : expiring(i));
        Instant started = kit.now();
        kit.advance(Duration.ofSeconds(15));
        assertThat(reachedAt.get("among")).isBeforeOrEqualTo(started.plusMillis(600));
        assertThat(kit).hasDeliveredCount(6);
    }

    @Test
    void aBacklogExpiresWhileThePublisherIsAway() {
        miss(OthersBesideExpiryTest::expiring);
        kit.publisher().failAlways();
        kit.advance(Duration.ofMillis(MANY / 2 + 1_000));
        assertThat(expired).hasSize(MANY);
        kit.publisher().recover();
        kit.advance(Duration.ofMinutes(2));
        assertThat(kit).hasDeliveredCount(5);
    }

    @Test
    void timersOfOthersAreDeliveredWhileOccurrencesAreSkipped() {
        Recurrence minutes = Recurrence.every(Duration.ofMinutes(1)).catchUp(CatchUp.LATEST);
        miss(i -> Timer.recurring(TimerKey.of("bad", "t" + i), minutes).build());
        Instant started = kit.now();
        kit.advance(Duration.ofSeconds(15));
        othersCameInTime(started);
        assertThat(skipped).hasSize(MANY);
    }
}
