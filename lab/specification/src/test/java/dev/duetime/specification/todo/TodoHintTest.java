package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that a todo of a node that only schedules wakes its owner, in each mode of a queue. */
class TodoHintTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** So long that no todo of a test is found by a poll by chance. */
    private static final Duration POLL = Duration.ofMinutes(1);

    private static final int COUNT = 20;

    private final TestClock clock = new TestClock();
    private final List<Duration> lateness = new ArrayList<>();
    private boolean areLost;

    private final PassThroughStore store = new PassThroughStore(new InMemoryScheduleStore(clock)) {
        @Override
        public WakeUps wakeUps() {
            return new WakeUps() {
                @Override
                public boolean areKept() {
                    return true;
                }

                @Override
                public void send(Collection<WakeUp> wakeUps) {
                    if (areLost) {
                        throw new StoreException("send", "hints", new SQLException("lost"));
                    }
                    intact.wakeUps().send(wakeUps);
                }

                @Override
                public List<Sent> sent() {
                    return intact.wakeUps().sent();
                }
            };
        }
    };

    private final List<Scheduler> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(Scheduler::close);
    }

    private TodoQueue node(TodoMode mode, boolean delivers) {
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    lateness.add(Duration.between(todo.startAt(), clock.now()));
                    return Outcome.complete();
                })
                .mode(mode)
                .build();
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .clock(clock)
                .pollInterval(POLL)
                .todoQueue(queue)
                .build();
        open.add(scheduler);
        if (delivers) {
            scheduler.start();
        }
        return queue;
    }

    private static NewTodo todo(int i, Instant due) {
        NewTodo todo = NewTodo.of("job", "x").id("t" + i).startAt(due);
        return i % 3 == 0 ? todo : i % 3 == 1 ? todo.parallelKey("k" + i) : todo.shardingKey("s" + i);
    }

    private void enqueueFromANodeThatOnlySchedules(TodoMode mode) {
        node(mode, true);
        node(mode, true);
        clock.advance(Duration.ofMinutes(3).plusSeconds(7));
        Instant due = clock.now().plusMillis(10);
        node(mode, false)
                .enqueueAll(
                        IntStream.range(0, COUNT).mapToObj(i -> todo(i, due)).toList());
    }

    @ParameterizedTest
    @EnumSource(TodoMode.class)
    void itsOwnerRunsItAtItsNextLook(TodoMode mode) {
        enqueueFromANodeThatOnlySchedules(mode);
        clock.advance(SECOND.multipliedBy(2));

        assertThat(lateness).hasSize(COUNT).allSatisfy(each -> assertThat(each).isLessThan(SECOND.plusMillis(100)));
    }

    @ParameterizedTest
    @EnumSource(TodoMode.class)
    void withoutHintsThePollFindsIt(TodoMode mode) {
        areLost = true;
        enqueueFromANodeThatOnlySchedules(mode);
        clock.advance(SECOND);
        assertThat(lateness).isEmpty();

        clock.advance(POLL);
        assertThat(lateness).hasSize(COUNT);
    }
}
