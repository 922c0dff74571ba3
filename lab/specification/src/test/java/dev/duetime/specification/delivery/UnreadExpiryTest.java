package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.listener.TimerListener;
import dev.duetime.metrics.TimerMetrics;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The rule that a backlog of expired timers is not even read if no listener wants each timer. */
class UnreadExpiryTest {
    private static final int MANY = 20_000;
    private static final int BATCH = 500;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Logger log = (Logger) LoggerFactory.getLogger("dev.duetime.engine.report.TimerLog");
    private final @Nullable Level levelBefore = log.getLevel();
    private final Counts counts = new Counts();

    private static final class Counts implements TimerListener {
        final List<String> told = new ArrayList<>();
        int each;
        int unread;

        @Override
        public boolean wantsEachExpired() {
            return false;
        }

        @Override
        public void expired(StoredTimer timer, ExpiryReason reason) {
            each++;
        }

        @Override
        public void expired(String queue, String type, int count) {
            told.add(queue + " " + type);
            unread += count;
        }
    }

    @BeforeEach
    void logNoLineOfEach() {
        log.setLevel(Level.INFO);
    }

    @AfterEach
    void logAsBefore() {
        log.setLevel(levelBefore);
    }

    private static TimerKit kit(TimerListener... listeners) {
        return TimerKit.builder()
                .configure(scheduler -> {
                    for (TimerListener each : listeners) {
                        scheduler.listener(each);
                    }
                    scheduler.batchSize(BATCH);
                })
                .build();
    }

    /** Schedules timers that fall due one after the other, some of them with a deadline, and lets an hour pass. */
    private static void missAll(TimerKit kit, int count, IntPredicate deadline) {
        kit.node(0).pause();
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> {
                            Timer.Builder timer =
                                    Timer.after("t-" + i, Duration.ofMillis(i)).type("reminder");
                            return deadline.test(i) ? timer.validFor(SECOND).build() : timer.build();
                        })
                        .toList());
        kit.advance(Duration.ofHours(1));
        kit.node(0).resume();
    }

    @Test
    void anExpiredBacklogIsCountedOnceAndHardlyRead() {
        TimerKit kit = kit(counts);
        missAll(kit, MANY, i -> true);
        int reads = kit.node(0).calls(StoreCall.DUE);
        kit.runDue();
        assertThat(counts.each + counts.unread).isEqualTo(MANY);
        assertThat(counts.each).isLessThanOrEqualTo(4 * BATCH);
        assertThat(counts.told).containsOnly(Timer.DEFAULT_QUEUE + " reminder");
        assertThat(kit.node(0).calls(StoreCall.DUE) - reads).isLessThanOrEqualTo(4);
        assertThat(kit.publisher().calls()).isZero();
        assertThat(kit.scheduler().query(TimerQuery.all().state(TimerState.SCHEDULED)))
                .isEmpty();
        assertThat(kit.scheduler().query(TimerQuery.all().state(TimerState.EXPIRED)))
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.settledAt()).isEqualTo(kit.now()));
    }

    @Test
    void validTimersAmongThemAreDeliveredOnceAndOnTime() {
        TimerKit kit = kit(counts);
        missAll(kit, MANY, i -> i % 10 != 0);
        kit.runDue();
        assertThat(counts.each + counts.unread).isEqualTo(MANY - MANY / 10);
        assertThat(kit).hasDeliveredCount(MANY / 10);
        assertThat(kit.delivered()).extracting(each -> each.key().timerId()).doesNotHaveDuplicates();
    }

    @Test
    void aListenerThatWantsEachTimerGetsEach() {
        RecordingListener wants = new RecordingListener();
        TimerKit kit = kit(counts, wants);
        missAll(kit, MANY, i -> true);
        kit.runDue();
        assertThat(wants.expired).hasSize(MANY).doesNotHaveDuplicates();
        assertThat(counts.each).isEqualTo(MANY);
        assertThat(counts.unread).isZero();
    }

    @Test
    void everyExpiredTimerIsReadIfEachIsLogged() {
        log.setLevel(Level.DEBUG);
        TimerKit kit = kit(counts);
        missAll(kit, 4 * BATCH + 1, i -> true);
        kit.runDue();
        assertThat(counts.unread).isZero();
        assertThat(counts.each).isEqualTo(4 * BATCH + 1);
    }

    @Test
    void aFailureOfTheStoreIsSurvived() {
        TimerKit kit = kit(counts);
        missAll(kit, MANY, i -> true);
        kit.node(0).failBefore(StoreCall.EXPIRE);
        kit.runDue();
        kit.advance(SECOND);
        assertThat(counts.each + counts.unread).isEqualTo(MANY);
        assertThat(kit.scheduler().query(TimerQuery.all().state(TimerState.SCHEDULED)))
                .isEmpty();
    }

    @Test
    void metricsCountThemAll() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        TimerKit kit = kit(new TimerMetrics(registry));
        missAll(kit, MANY, i -> true);
        kit.runDue();
        assertThat(registry.get("duetime.timer.expired")
                        .tags("type", "reminder", "reason", "delivery_too_late")
                        .counter()
                        .count())
                .isEqualTo(MANY);
    }
}
