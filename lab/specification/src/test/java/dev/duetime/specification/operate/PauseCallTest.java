package dev.duetime.specification.operate;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule that nothing begins on a node once its call of {@code pause} has returned. */
class PauseCallTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TestClock clock = new TestClock();
    private final ScheduleStore store = new PassThroughStore(new InMemoryScheduleStore(clock)) {
        @Override
        public DueTimers due(DueQuery query) {
            DueTimers due = super.due(query);
            duringRead.run();
            return due;
        }
    };
    private Runnable duringRead = () -> {};

    /** Pauses the queue in the thread of an operator, while the thread of the loop is in a call of the store. */
    @Test
    void nothingBeginsOnThisNodeOnceThePauseHasReturned() {
        List<Envelope> published = new ArrayList<>();
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .clock(clock)
                .publisher(published::addAll)
                .build();
        scheduler.start();
        clock.runDue();
        duringRead = () -> scheduler.admin().pause("default");
        scheduler.schedule(Timer.after("a", SECOND).build());
        clock.advance(Duration.ofMinutes(1));
        assertThat(published).isEmpty();

        duringRead = () -> {};
        scheduler.admin().resume("default");
        clock.runDue();
        assertThat(published).hasSize(1);
    }

    @Test
    void noTodoBeginsOnceThePauseHasReturned() {
        List<String> ran = new ArrayList<>();
        TodoQueue queue = TodoQueue.builder("work")
                .workers(1)
                .type("job", String.class, (todo, run) -> {
                    ran.add(todo.id());
                    return Outcome.complete();
                })
                .build();
        Scheduler scheduler =
                Scheduler.builder().store(store).clock(clock).todoQueue(queue).build();
        scheduler.start();
        clock.runDue();
        duringRead = () -> scheduler.admin().pause("work");
        queue.enqueue(NewTodo.of("job", "p").id("a"));
        clock.advance(Duration.ofMinutes(1));
        assertThat(ran).isEmpty();

        duringRead = () -> {};
        scheduler.admin().resume("work");
        clock.runDue();
        assertThat(ran).containsExactly("a");
    }
}
