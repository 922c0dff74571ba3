package dev.duetime.specification.recurring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.SchedulerBuilder;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.UntypedQueues;
import dev.duetime.handlers.Handlers;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.specification.RecordingListener;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.NextDue;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that a recurring timer is delivered although the statements of a turn take as long as its period. */
class SlowStoreCatchUpTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Recurrence EACH_SECOND = Recurrence.every(SECOND);

    private final List<Instant> handled = new ArrayList<>();
    private final RecordingListener listener = new RecordingListener();
    private final TestClock clock = new TestClock();
    private Duration statement = Duration.ZERO;
    private TimerKit kit = kit(scheduler -> {});

    /** A store that is slow in what the loops do each turn. */
    private final class SlowStore extends PassThroughStore {
        SlowStore() {
            super(new InMemoryScheduleStore(clock));
        }

        private void linger() {
            if (!statement.isZero()) {
                kit.clock().linger(statement);
            }
        }

        @Override
        public DueTimers due(DueQuery query) {
            linger();
            return super.due(query);
        }

        @Override
        public NextDue nextDue(String queue, Collection<Integer> shards, Instant after) {
            linger();
            return super.nextDue(queue, shards, after);
        }

        @Override
        public int settle(List<Settlement> settlements) {
            linger();
            return super.settle(settlements);
        }
    }

    private TimerKit kit(Consumer<SchedulerBuilder> settings) {
        return TimerKit.builder()
                .store(new SlowStore())
                .configure(scheduler -> {
                    scheduler.shards(1).listener(listener);
                    settings.accept(scheduler);
                })
                .build();
    }

    private void with(Consumer<SchedulerBuilder> settings) {
        kit.close();
        kit = kit(settings);
    }

    private void runSlowly(int millis) {
        statement = Duration.ofMillis(millis);
        kit.advance(MINUTE);
    }

    private List<Instant> published() {
        return kit.delivered("a").stream().map(each -> each.event().dueAt()).toList();
    }

    private void schedule(Recurrence recurrence, String queue) {
        kit.scheduler().schedule(Timer.recurring("a", recurrence).queue(queue).build());
    }

    /** A turn that skips, a turn that delivers and a turn that finds nothing have seven statements at most. */
    private void comesAgainAndAgain(List<Instant> dueTimes, int millis) {
        assertThat(dueTimes)
                .hasSizeGreaterThanOrEqualTo((int) (MINUTE.toMillis() / Math.max(7L * millis, 2_000)) - 1)
                .doesNotHaveDuplicates()
                .isSorted();
    }

    @AfterEach
    void close() {
        statement = Duration.ZERO;
        kit.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {150, 300, 500, 2_000})
    void theLatestIsPublished(int millis) {
        schedule(EACH_SECOND, Timer.DEFAULT_QUEUE);
        runSlowly(millis);
        comesAgainAndAgain(published(), millis);
    }

    @ParameterizedTest
    @ValueSource(ints = {150, 300, 500, 2_000})
    void theLatestIsHandled(int millis) {
        Handlers handlers = Handlers.builder()
                .queue("minutes")
                .recurring("a", EACH_SECOND, due -> handled.add(due.event().dueAt()))
                .build();
        with(scheduler -> scheduler.extension(handlers));
        runSlowly(millis);
        comesAgainAndAgain(handled, millis);
    }

    @ParameterizedTest
    @ValueSource(ints = {150, 300, 500, 2_000})
    void theLatestTickComes(int millis) {
        PassageOfTime time = PassageOfTime.builder()
                .every(SECOND, "a", tick -> handled.add(tick.end()))
                .build();
        with(scheduler -> scheduler.extension(time));
        runSlowly(millis);
        comesAgainAndAgain(handled, millis);
    }

    @ParameterizedTest
    @ValueSource(ints = {150, 300, 500, 2_000})
    void theLatestTodoRuns(int millis) {
        with(scheduler -> scheduler.queue(
                "work", queue -> UntypedQueues.handle(queue, this::handle, TodoMode.PARALLEL_BY_KEY, 3)));
        schedule(EACH_SECOND, "work");
        runSlowly(millis);
        comesAgainAndAgain(handled, millis);
    }

    private Outcome handle(StoredTimer todo, TodoRun run) {
        handled.add(todo.dueAt());
        return Outcome.complete();
    }

    @Test
    void theLatestOfManyTimersComes() {
        with(scheduler -> scheduler.batchSize(10));
        for (int i = 0; i < 100; i++) {
            kit.scheduler().schedule(Timer.recurring("t" + i, EACH_SECOND).build());
        }
        statement = Duration.ofMillis(500);
        kit.advance(MINUTE.multipliedBy(2));
        for (int i = 0; i < 100; i++) {
            assertThat(kit.delivered("t" + i)).as("t" + i).isNotEmpty();
        }
    }

    /** It is late by the rule of its catch-up, whatever made it late. */
    @Test
    void noneIsSkippedWhileItIsLaterThanItsPeriod() {
        schedule(EACH_SECOND.catchUp(CatchUp.NONE), Timer.DEFAULT_QUEUE);
        runSlowly(2_000);
        assertThat(published()).isEmpty();
        statement = Duration.ZERO;
        kit.advance(MINUTE);
        assertThat(published()).hasSizeGreaterThan(50);
    }

    @Test
    void noneOfALongerPeriodComes() {
        schedule(Recurrence.every(SECOND.multipliedBy(10)).catchUp(CatchUp.NONE), Timer.DEFAULT_QUEUE);
        runSlowly(2_000);
        assertThat(published()).hasSizeGreaterThanOrEqualTo(5);
    }

    /** Each of them was skipped during the outage, and only one is tried at a time. */
    @Test
    void ofManyTimersOnlyTheLatestComesAfterAnOutage() {
        for (int i = 0; i < 20; i++) {
            Recurrence recurrence = Recurrence.every(Duration.ofMinutes(3).plusSeconds(i));
            kit.scheduler()
                    .schedule(Timer.recurring("t" + i, recurrence).type("t" + i).build());
        }
        kit.publisher().failOn(each -> true);
        kit.advance(Duration.ofMinutes(29));
        kit.publisher().failOn(each -> false);
        Instant back = kit.now();
        kit.advance(MINUTE.multipliedBy(3));

        for (int i = 0; i < 20; i++) {
            assertThat(kit.delivered("t" + i))
                    .as("t" + i)
                    .filteredOn(each -> !each.event().dueAt().isAfter(back))
                    .hasSizeLessThanOrEqualTo(1);
        }
        assertThat(kit.delivered()).hasSizeGreaterThanOrEqualTo(20);
    }
}
