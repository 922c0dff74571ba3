package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Clock;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that a start that fails half-way leaves nothing behind, and can be repeated. */
class StartTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TestClock clock = new TestClock();
    private final TestClock.Node machine = clock.node("machine");
    private final List<String> running = new ArrayList<>();
    private final List<String> ran = new ArrayList<>();
    private int threadsLeft = Integer.MAX_VALUE;
    private boolean eager;
    private boolean closesFail;

    /** An executor with a limited number of threads. */
    private final class ScarceThreads implements Clock {
        @Override
        public Instant now() {
            return machine.now();
        }

        @Override
        public long nanoTime() {
            return machine.nanoTime();
        }

        @Override
        public Loop start(String name, Pass pass) {
            if (threadsLeft-- == 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Loop loop = machine.start(name, pass);
            running.add(name);
            if (eager) {
                runAtOnce(pass);
            }
            return new Loop() {
                @Override
                public void wakeAt(Instant instant) {
                    loop.wakeAt(instant);
                }

                @Override
                public boolean close(Duration limit) {
                    running.remove(name);
                    boolean ended = loop.close(limit);
                    if (closesFail) {
                        throw new IllegalStateException("cannot be closed");
                    }
                    return ended;
                }
            };
        }

        private static void runAtOnce(Pass pass) {
            try {
                pass.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** A turn of one of them could still run when the start is repeated. */
    @Test
    void noTurnRunsUnlessAllThreadsWereStarted() {
        InMemoryScheduleStore store = new InMemoryScheduleStore(clock);
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .clock(new ScarceThreads())
                .publisher(batch -> {})
                .build();
        eager = true;
        threadsLeft = 3; // The queue, hints and shards; none for housekeeping.
        assertThatThrownBy(scheduler::start).isInstanceOf(OutOfMemoryError.class);

        assertThat(running).isEmpty();
        assertThat(store.leases().view("default").leases())
                .isNotEmpty()
                .allSatisfy(lease -> assertThat(lease.owner()).isNull());
    }

    @Test
    void aLoopThatFailsToCloseKeepsNoOtherAfterAFailedStart() {
        Scheduler scheduler = Scheduler.builder()
                .store(new InMemoryScheduleStore(clock))
                .clock(new ScarceThreads())
                .publisher(batch -> {})
                .build();
        closesFail = true;
        threadsLeft = 3;
        assertThatThrownBy(scheduler::start).isInstanceOf(OutOfMemoryError.class);

        assertThat(running).isEmpty();
    }

    /** Two queues' loops, a settler and two workers, the lease watch, hints, the owner of shards, and housekeeping. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8})
    void aFailedStartLeavesNoThreadAndCanBeRepeated(int threads) {
        TodoQueue queue = TodoQueue.builder("work")
                .workers(2)
                .type("job", String.class, (todo, run) -> {
                    ran.add(todo.id());
                    return Outcome.complete();
                })
                .build();
        InMemoryPublisher publisher = new InMemoryPublisher();
        Scheduler scheduler = Scheduler.builder()
                .store(new InMemoryScheduleStore(clock))
                .clock(new ScarceThreads())
                .publisher(publisher)
                .todoQueue(queue)
                .build();
        threadsLeft = threads;
        assertThatThrownBy(scheduler::start).isInstanceOf(OutOfMemoryError.class);
        assertThat(running).isEmpty();
        clock.advance(SECOND);

        threadsLeft = Integer.MAX_VALUE;
        scheduler.start();
        assertThat(running).hasSize(10);
        queue.enqueue(NewTodo.of("job", "p").id("todo"));
        scheduler.schedule(Timer.after("timer", SECOND).build());
        clock.advance(SECOND);
        assertThat(ran).containsExactly("todo");
        assertThat(publisher.delivered("timer")).hasSize(1);

        scheduler.close();
        assertThat(running).isEmpty();
    }
}
