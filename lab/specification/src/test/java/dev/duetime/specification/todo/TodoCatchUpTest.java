package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.UntypedQueues;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.specification.RecordingListener;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule that a queue with a handler skips missed occurrences as a queue with a publisher does. */
class TodoCatchUpTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<Instant> runs = new ArrayList<>();
    private final RecordingListener listener = new RecordingListener();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .listener(listener)
                    .queue("work", queue -> UntypedQueues.handle(queue, this::handle, TodoMode.PARALLEL_BY_KEY, 2)))
            .build();

    private Outcome handle(StoredTimer todo, TodoRun run) {
        runs.add(todo.dueAt());
        return Outcome.complete();
    }

    private void missTenHours(CatchUp catchUp) {
        kit.scheduler()
                .schedule(Timer.recurring("a", Recurrence.every(MINUTE).catchUp(catchUp))
                        .queue("work")
                        .build());
        kit.advance(MINUTE);
        runs.clear();
        kit.node(0).close();
        kit.advance(Duration.ofHours(10).plusSeconds(30));
        kit.node(0).restart();
        kit.runDue();
    }

    @Test
    void theLatestOccurrenceRunsAlone() {
        missTenHours(CatchUp.LATEST);
        assertThat(runs).containsExactly(TestClock.START.plus(MINUTE.multipliedBy(601)));
        assertThat(listener.skipped).hasSize(1);
    }

    @Test
    void noMissedOccurrenceRunsIfNoneIsWanted() {
        missTenHours(CatchUp.NONE);
        assertThat(runs).hasSizeLessThanOrEqualTo(1);
        kit.advance(MINUTE);
        assertThat(runs).last().isEqualTo(TestClock.START.plus(MINUTE.multipliedBy(602)));
    }

    @Test
    void allRunInOrderIfAllAreWanted() {
        missTenHours(CatchUp.ALL);
        assertThat(runs).hasSize(600).isSorted();
    }
}
