package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.QueueSample;
import dev.duetime.passage.DayHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that turns which do nothing are skipped, without any visible effect. */
class IdleTimeTest {
    /** {@code -Dduetime.idle.seeds=1000} runs more seeds. */
    static IntStream seeds() {
        return IntStream.range(0, Integer.getInteger("duetime.idle.seeds", 4));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theSameEventsHappenAtTheSameTimesWithSkippedTurns(int seed) {
        List<String> slow = new IdleScenario(seed, true).run();
        List<String> quick = new IdleScenario(seed, false).run();

        for (int i = 0; i < Math.min(slow.size(), quick.size()); i++) {
            assertThat(quick.get(i)).as("line %d of %d", i, slow.size()).isEqualTo(slow.get(i));
        }
        assertThat(quick).hasSameSizeAs(slow);
    }

    @Test
    void aYearWithADailyTimerTakesAFewTurnsADay() {
        try (TimerKit kit =
                TimerKit.builder().configure(IdleTimeTest::fourQueues).build()) {
            kit.scheduler()
                    .schedule(Timer.recurring(TimerKey.of("daily"), Recurrence.every(Duration.ofDays(1)))
                            .build());

            kit.advance(Duration.ofDays(365));

            assertThat(kit.delivered("daily"))
                    .hasSize(365)
                    .allMatch(each -> each.event().lateness().isZero());
            assertThat(calls(kit)).isLessThan(12 * 365);
        }
    }

    /** The exchange of limits has a turn each half second as long as it changes something, and no other loop has. */
    @Test
    void aLimitCostsOtherQueuesNoTurns() {
        try (TimerKit kit = TimerKit.builder()
                .configure(IdleTimeTest::fourQueues)
                .configure(settings -> settings.queue(
                        "limited", queue -> queue.publisher(batch -> {}).rateLimit(RateLimit.perMinute(10))))
                .build()) {
            kit.scheduler()
                    .schedule(Timer.recurring(TimerKey.of("daily"), Recurrence.every(Duration.ofDays(1)))
                            .queue("limited")
                            .build());

            kit.advance(Duration.ofDays(60));

            assertThat(calls(kit)).isLessThan(50 * 60);
        }
    }

    @Test
    void aYearWithPassageOfTimeTakesAFewTurnsADay() {
        List<LocalDate> days = new ArrayList<>();
        PassageOfTime passage = PassageOfTime.builder()
                .on(DayHasPassed.class, "report", day -> days.add(day.date()))
                .build();
        try (TimerKit kit =
                TimerKit.builder().configure(s -> s.extension(passage)).build()) {
            kit.advance(Duration.ofDays(365));

            assertThat(days).hasSize(365).doesNotHaveDuplicates();
            assertThat(calls(kit)).isLessThan(40 * 365);
        }
    }

    @Test
    void aListenerWithoutSamplesCostsNoTurns() {
        NodeListener deaf = new NodeListener() {};
        try (TimerKit kit = TimerKit.builder().configure(s -> s.listener(deaf)).build()) {
            kit.advance(Duration.ofDays(365));

            assertThat(calls(kit)).isLessThan(30 * 365);
        }
    }

    /** The other scheduler wakes no loop of the kit. So only a poll finds what it wrote. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTimerThatASampleWritesFromElsewhereIsFoundByTheNextPoll(boolean everyTurn) {
        AtomicReference<Scheduler> elsewhere = new AtomicReference<>();
        NodeListener writer = new NodeListener() {
            @Override
            public void sampled(QueueSample sample) {
                if (elsewhere.get() != null) {
                    elsewhere.get().schedule(Timer.after("late", Duration.ZERO).build());
                }
            }
        };
        try (TimerKit kit =
                        TimerKit.builder().configure(s -> s.listener(writer)).build();
                Scheduler other = Scheduler.builder()
                        .clock(kit.clock())
                        .store(kit.store())
                        .build()) {
            kit.clock().everyTurn(everyTurn);
            kit.advance(Duration.ofSeconds(30));
            elsewhere.set(other);
            kit.advance(Duration.ofMinutes(2));

            assertThat(kit.delivered("late"))
                    .hasSize(1)
                    .allMatch(each -> each.event().lateness().compareTo(Duration.ofSeconds(5)) <= 0);
        }
    }

    private static int calls(TimerKit kit) {
        return Arrays.stream(StoreCall.values()).mapToInt(kit.node(0)::calls).sum();
    }

    @Test
    void aNewNodeWaitsForTheWholeLeaseOfACrashedOneAfterIdleTime() {
        try (TimerKit kit = TimerKit.builder().build()) {
            kit.advance(Duration.ofDays(30));
            kit.node(0).crash();
            kit.addNode();
            kit.node(1).scheduler().schedule(Timer.after("a", Duration.ZERO).build());

            kit.advance(Duration.ofSeconds(6));
            assertThat(kit.delivered("a")).isEmpty();

            kit.advance(Duration.ofSeconds(5));
            assertThat(kit.delivered("a")).hasSize(1);
        }
    }

    @Test
    void oldEndedTimersArePurgedWhileTimeIsSkipped() {
        try (TimerKit kit = TimerKit.create()) {
            kit.scheduler().schedule(Timer.after("a", Duration.ZERO).build());
            kit.advance(Duration.ofDays(7).minusSeconds(1));
            assertThat(kit.scheduler().find(TimerKey.of("a"))).isPresent();

            kit.advance(Duration.ofMinutes(2));
            assertThat(kit.scheduler().find(TimerKey.of("a"))).isEmpty();
        }
    }

    private static void fourQueues(SchedulerBuilder builder) {
        builder.queue("mails", queue -> queue.publisher(batch -> {}))
                .todoQueue(IdleScenario.queue("todos"))
                .todoQueue(IdleScenario.queue("more-todos"));
    }
}
