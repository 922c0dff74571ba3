package dev.duetime.specification.recurring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Clock;
import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rule that counting what one tenant's timers have missed does not hold up the timers of others. */
class CountingTimeTest {
    private static final int MANY = 30;
    private static final Duration LOOK = Duration.ofNanos(200_000);
    private static final Duration DOWN = Duration.ofHours(40);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TestClock clock = new TestClock();
    private final InMemoryScheduleStore store = new InMemoryScheduleStore(clock);
    private final Map<TimerKey, Instant> firstDue = new LinkedHashMap<>();
    private final Map<TimerKey, Instant> reachedAt = new LinkedHashMap<>();
    private boolean isSlow;
    private Scheduler scheduler = newScheduler();

    private Scheduler newScheduler() {
        return Scheduler.builder()
                .store(store)
                .clock(new SlowClock())
                .publisher(batch -> batch.forEach(this::note))
                .build();
    }

    private void note(Envelope envelope) {
        firstDue.putIfAbsent(envelope.key(), envelope.event().dueAt());
        reachedAt.putIfAbsent(envelope.key(), clock.now());
    }

    /** Each look at the time takes a while. So counting an occurrence does, too. */
    private final class SlowClock implements Clock {
        @Override
        public Instant now() {
            return clock.now();
        }

        @Override
        public long nanoTime() {
            if (isSlow) {
                clock.linger(LOOK);
            }
            return clock.nanoTime();
        }

        @Override
        public Loop start(String name, Pass pass) {
            return clock.start(name, pass);
        }
    }

    @BeforeEach
    void scheduleTimersThatDiffer() {
        for (int i = 0; i < MANY; i++) {
            scheduler.schedule(
                    Timer.recurring(bad(i), every(60 + i).catchUp(CatchUp.ALL)).build());
        }
    }

    private static TimerKey bad(int i) {
        return TimerKey.of("bad", "t" + i);
    }

    private static Recurrence every(int seconds) {
        return Recurrence.every(Duration.ofSeconds(seconds));
    }

    private void down() {
        scheduler.close();
        clock.advance(DOWN);
        scheduler = newScheduler();
        scheduler.start();
        isSlow = true;
    }

    @AfterEach
    void close() {
        isSlow = false;
        scheduler.close();
    }

    @Test
    void timersOfOthersGoOutMeanwhile() {
        for (int i = 1; i <= 5; i++) {
            Duration afterTheStart = DOWN.plus(SECOND.multipliedBy(i));
            scheduler.schedule(
                    Timer.after(TimerKey.of("good", "t" + i), afterTheStart).build());
        }
        down();
        Instant started = clock.now();
        clock.advance(Duration.ofSeconds(10));
        for (int i = 1; i <= 5; i++) {
            assertThat(reachedAt.get(TimerKey.of("good", "t" + i)))
                    .as("t" + i)
                    .isBeforeOrEqualTo(started.plus(SECOND.multipliedBy(i)).plusMillis(500));
        }
    }

    @Test
    void missedOccurrencesOfOthersAreCountedMeanwhile() {
        TimerKey good = TimerKey.of("good", "hourly");
        scheduler.schedule(
                Timer.recurring(good, every(3600).catchUp(CatchUp.ALL)).build());
        down();
        Instant started = clock.now();
        clock.advance(SECOND);
        assertThat(reachedAt.get(good)).isBeforeOrEqualTo(started.plus(SECOND));
        assertThat(firstDue).containsEntry(good, TestClock.START.plus(Duration.ofHours(1)));
    }

    @Test
    void noOccurrenceBeforeTheMostRecentThousandIsDelivered() {
        down();
        clock.advance(Duration.ofSeconds(20));
        for (int i = 0; i < MANY; i++) {
            Instant due = Objects.requireNonNull(firstDue.get(bad(i)));
            Recurrence recurrence = every(60 + i);
            Instant decided = Objects.requireNonNull(reachedAt.get(bad(i)));
            Instant latest = recurrence.latest(decided).orElseThrow();
            assertThat(Duration.between(due, latest).toSeconds() / (60 + i))
                    .as("t" + i)
                    .isBetween(998L, 1_000L);
        }
    }

    @Test
    void aTimerDoesNotOvertakeAnUndecidedOneOfItsParallelKey() {
        TimerKey before = TimerKey.of("bad", "key-recurring");
        TimerKey after = TimerKey.of("bad", "key-single");
        scheduler.schedule(Timer.recurring(before, every(125).catchUp(CatchUp.ALL))
                .parallelKey("key")
                .build());
        scheduler.schedule(
                Timer.after(after, DOWN.plusMillis(10)).parallelKey("key").build());
        down();
        Instant started = clock.now();
        clock.advance(Duration.ofSeconds(20));
        Instant decided = Objects.requireNonNull(reachedAt.get(before));
        assertThat(decided).isAfter(started.plus(SECOND));
        // Within the turn that decided, or later.
        assertThat(reachedAt.get(after)).isAfter(decided.minusMillis(500));
    }
}
