package dev.duetime.specification.failure;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Publisher;
import dev.duetime.RetryPolicy;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SchedulerExtension;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.listener.TimerListener;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todolist.OverdueHandler.Verdict;
import dev.duetime.todolist.TodoList;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rule that an interrupt by user code is a failure of that code, and never reaches the store. */
class UserInterruptTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final WatchedStore store = new WatchedStore(new TestClock());
    private final List<String> called = new ArrayList<>();

    @AfterEach
    void clearTheFlagOfATestThatFails() {
        Thread.interrupted();
    }

    private TimerKit kit(Consumer<SchedulerBuilder> settings) {
        return TimerKit.builder().configure(settings).build();
    }

    private TimerKit watched(Consumer<SchedulerBuilder> settings) {
        return TimerKit.builder().store(store).configure(settings).build();
    }

    private static String interrupted(String id) {
        Thread.currentThread().interrupt();
        return id;
    }

    private static boolean hasBad(List<Envelope> batch) {
        return batch.stream().anyMatch(each -> each.key().timerId().equals("bad"));
    }

    private static TimerState state(TimerKit kit, String timerId) {
        return kit.store().query(TimerQuery.all()).stream()
                .filter(each -> each.key().timerId().equals(timerId))
                .findFirst()
                .orElseThrow()
                .state();
    }

    @Nested
    class AnInterruptedException {
        @Test
        void ofAPublisherCostsOnlyItsOwnEnvelopeAnAttempt() {
            TimerKit kit = kit(scheduler -> scheduler.publisher(batch -> {
                if (hasBad(batch)) {
                    throw new InterruptedException("of the user");
                }
                batch.forEach(each -> called.add(each.key().timerId()));
            }));
            for (String id : List.of("a", "bad", "b")) {
                kit.scheduler().schedule(Timer.after(id, SECOND).build());
            }
            kit.advance(SECOND);

            assertThat(called).containsExactly("a", "b");
            assertThat(kit.store().find(TimerKey.of("bad")).orElseThrow().attempt())
                    .isEqualTo(1);
        }

        @Test
        void ofATickHandlerCostsOnlyItsOwnTickAnAttempt() {
            PassageOfTime time = PassageOfTime.builder()
                    .on(MinuteHasPassed.class, "a", minute -> called.add("a"))
                    .on(MinuteHasPassed.class, "bad", minute -> {
                        throw new InterruptedException("of the user");
                    })
                    .on(MinuteHasPassed.class, "c", minute -> called.add("c"))
                    .build();
            TimerKit kit = kit(scheduler -> scheduler.extension(time));
            kit.advance(MINUTE.multipliedBy(3).plus(SECOND));

            assertThat(called).containsExactlyInAnyOrder("a", "c", "a", "c", "a", "c");
        }

        @Test
        void ofATickPublisherDelaysNoOther() {
            Publisher interrupted = batch -> {
                throw new InterruptedException("of the user");
            };
            PassageOfTime time = PassageOfTime.builder()
                    .publish("bad", interrupted, MinuteHasPassed.class)
                    .on(MinuteHasPassed.class, "c", minute -> called.add("c"))
                    .build();
            TimerKit kit = kit(scheduler -> scheduler.extension(time));
            kit.advance(MINUTE.multipliedBy(3).plus(SECOND));

            assertThat(called).containsExactly("c", "c", "c");
        }

        @Test
        void ofAToDoListsHandlerLeavesItsOwnItemOnly() {
            TodoList<String> list = TodoList.of("cases");
            PassageOfTime time = PassageOfTime.builder()
                    .on(MinuteHasPassed.class, "cases", list.forEachOverdue((id, now) -> {
                        called.add(id);
                        if (id.equals("bad")) {
                            throw new InterruptedException("of the user");
                        }
                        return Verdict.DONE;
                    }))
                    .build();
            TimerKit kit = kit(scheduler -> scheduler.extension(list).extension(time));
            list.add("a", kit.now());
            list.add("bad", kit.now().plus(SECOND));
            list.add("c", kit.now().plusSeconds(2));
            kit.advance(MINUTE.plus(SECOND));

            assertThat(called).containsExactly("a", "bad", "c");
            assertThat(list.overdue(Instant.MAX)).containsExactly("bad");
        }
    }

    @Nested
    class TheFlagThatIsLeftBehindNeverReachesTheStore {
        private void runTwoTimers(TimerKit kit) {
            kit.scheduler().schedule(Timer.after("a", SECOND).build());
            kit.advance(SECOND);
            kit.scheduler().schedule(Timer.after("b", SECOND).build());
            kit.advance(MINUTE);
        }

        private void isClean(TimerKit kit) {
            assertThat(state(kit, "a")).isEqualTo(TimerState.REACHED);
            assertThat(state(kit, "b")).isEqualTo(TimerState.REACHED);
            assertThat(store.callsInterrupted).isEmpty();
        }

        @Test
        void byAPublisher() {
            TimerKit kit = watched(scheduler ->
                    scheduler.publisher(batch -> Thread.currentThread().interrupt()));
            runTwoTimers(kit);
            isClean(kit);
        }

        @Test
        void byAnExtension() {
            SchedulerExtension rude = new SchedulerExtension() {
                @Override
                public String name() {
                    return "rude";
                }

                @Override
                public void configure(SchedulerBuilder builder) {
                    builder.retention(MINUTE);
                }

                @Override
                public Instant maintain(Scheduler scheduler) {
                    Thread.currentThread().interrupt();
                    return Instant.MIN;
                }
            };
            TimerKit kit = watched(scheduler -> scheduler.extension(rude));
            runTwoTimers(kit);
            isClean(kit);
        }

        @Test
        void byAListenerOfTimersThatAPublisherSchedules() {
            TimerKit[] kit = new TimerKit[1];
            kit[0] = watched(scheduler -> scheduler
                    .publisher(batch -> {
                        for (Envelope each : batch) {
                            kit[0].scheduler()
                                    .schedule(Timer.after("of-" + each.key().timerId() + "-1", MINUTE.multipliedBy(9))
                                            .build());
                            kit[0].scheduler()
                                    .schedule(Timer.after("of-" + each.key().timerId() + "-2", MINUTE.multipliedBy(9))
                                            .build());
                        }
                    })
                    .listener(new TimerListener() {
                        @Override
                        public void scheduled(ScheduleResult result, TimerContent content) {
                            if (result.key().timerId().startsWith("of-")) {
                                Thread.currentThread().interrupt();
                            }
                        }
                    }));
            runTwoTimers(kit[0]);
            isClean(kit[0]);
        }

        @Test
        void byAPublisherThatFails() {
            TimerKit kit = watched(scheduler -> scheduler.publisher(batch -> {
                if (batch.get(0).attempt() == 1 && hasBad(batch)) {
                    Thread.currentThread().interrupt();
                    throw new IOException("refused");
                }
            }));
            kit.scheduler().schedule(Timer.after("bad", SECOND).build());
            runTwoTimers(kit);
            isClean(kit);
        }

        @Test
        void byAListener() {
            TimerKit kit = watched(scheduler -> scheduler.listener(new TimerListener() {
                @Override
                public void delivered(Envelope envelope) {
                    Thread.currentThread().interrupt();
                }
            }));
            runTwoTimers(kit);
            isClean(kit);
        }

        @Test
        void byARetryDelay() {
            TimerKit kit = watched(scheduler -> scheduler.retry(RetryPolicy.custom(
                    (attempts, error) -> {
                        Thread.currentThread().interrupt();
                        return SECOND;
                    },
                    MINUTE)));
            kit.publisher().failPartiallyOn(each -> each.key().timerId().equals("bad"));
            kit.scheduler().schedule(Timer.after("bad", SECOND).build());
            runTwoTimers(kit);
            isClean(kit);
        }

        @Test
        void byAToDoListsHandler() {
            TodoList<String> list = TodoList.of("cases");
            PassageOfTime time = PassageOfTime.builder()
                    .on(MinuteHasPassed.class, "cases", list.forEachOverdue((id, now) -> {
                        Thread.currentThread().interrupt();
                        return Verdict.DONE;
                    }))
                    .build();
            TimerKit kit = watched(scheduler -> scheduler.extension(list).extension(time));
            list.add("a", kit.now());
            list.add("b", kit.now());
            kit.advance(MINUTE.plus(SECOND));

            assertThat(list.overdue(Instant.MAX)).isEmpty();
            assertThat(store.callsInterrupted).isEmpty();
        }

        @Test
        void byTheFunctionsOfAToDoListsIds() {
            TodoList<String> list =
                    TodoList.of("cases", UserInterruptTest::interrupted, UserInterruptTest::interrupted);
            PassageOfTime time = PassageOfTime.builder()
                    .on(MinuteHasPassed.class, "cases", minute -> {
                        list.add("a", minute.now());
                        list.addAll(IntStream.range(0, 250)
                                .boxed()
                                .collect(Collectors.toMap(i -> "i" + i, i -> minute.now())));
                        called.addAll(list.overdue(minute.now()).toList());
                        list.done("a");
                        list.doneAll(List.of("i0"));
                    })
                    .build();
            TimerKit kit = watched(scheduler -> scheduler.extension(list).extension(time));
            kit.advance(MINUTE.plus(SECOND));

            assertThat(called).hasSize(251);
            assertThat(store.callsInterrupted).isEmpty();
        }

        @Test
        void byATodosHandler() {
            TodoQueue queue = TodoQueue.builder("work")
                    .type("job", String.class, (todo, run) -> {
                        Thread.currentThread().interrupt();
                        return Outcome.complete();
                    })
                    .build();
            TimerKit kit = watched(scheduler -> scheduler.todoQueue(queue));
            queue.enqueue(NewTodo.of("job", "p").id("a"));
            queue.enqueue(NewTodo.of("job", "p").id("b"));
            kit.advance(SECOND);

            isClean(kit);
        }
    }
}
