package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Payload;
import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.SystemClock;
import dev.duetime.TimerState;
import dev.duetime.listener.TimerListener;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.memory.InMemoryTransaction;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.StepHandler;
import dev.duetime.todo.Steps;
import dev.duetime.todo.TodoQueue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of deadlines, time limits and the end of runs. */
@Timeout(60)
class TodoLimitTest {

    @Nested
    class OnRealThreads {
        private final ScheduleStore store = new InMemoryScheduleStore(new SystemClock());
        private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        private final CountDownLatch never = new CountDownLatch(1);

        private Scheduler start(TodoQueue queue) {
            Scheduler scheduler = Scheduler.builder()
                    .store(store)
                    .todoQueue(queue)
                    .closeTimeout(Duration.ofMillis(100))
                    .listener(new TimerListener() {
                        @Override
                        public void tookTooLong(StoredTimer todo, Duration limit) {
                            told.add("too long " + todo.key().timerId());
                        }
                    })
                    .build();
            scheduler.start();
            return scheduler;
        }

        @Test
        void aHandlerThatTakesTooLongIsInterruptedAndCounted() throws InterruptedException {
            TodoQueue queue = TodoQueue.builder("slow")
                    .type("wait", String.class, (todo, run) -> {
                        if (run.attempt() == 1) {
                            never.await();
                        }
                        told.add("attempt " + run.attempt());
                        return Outcome.complete();
                    })
                    .timeLimit(Duration.ofMillis(20))
                    .retry(RetryPolicy.fixed(Duration.ofMillis(1)).maxAttempts(3))
                    .build();
            try (Scheduler scheduler = start(queue)) {
                queue.enqueue(NewTodo.of("wait", "p").id("a"));

                assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("too long a");
                assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("attempt 2");
                assertThat(scheduler.find(queue.key("a"))).isPresent();
            }
        }

        /** If the close waited a second for each handler, the test would exceed its time limit. */
        @Test
        @Timeout(20)
        void handlersThatIgnoreTheirInterruptShareOneTimeLimit() throws InterruptedException {
            int stuck = 40;
            CountDownLatch began = new CountDownLatch(stuck);
            TodoQueue queue = TodoQueue.builder("slow")
                    .type("wait", String.class, (todo, run) -> {
                        began.countDown();
                        for (boolean over = false; !over; ) {
                            try {
                                over = never.await(20, TimeUnit.SECONDS);
                            } catch (InterruptedException e) {
                                told.add("interrupted");
                            }
                        }
                        return Outcome.complete();
                    })
                    .workers(stuck)
                    .build();
            Scheduler scheduler = start(queue);
            try {
                for (int i = 0; i < stuck; i++) {
                    queue.enqueue(NewTodo.of("wait", "p"));
                }
                assertThat(began.await(20, TimeUnit.SECONDS)).isTrue();
                scheduler.close();
                assertThat(told).hasSizeGreaterThanOrEqualTo(stuck);
            } finally {
                never.countDown();
            }
        }

        @Test
        void aCloseInterruptsRunningHandlersAndLeavesTheirTodosToOthers() throws InterruptedException {
            CountDownLatch began = new CountDownLatch(1);
            TodoQueue queue = TodoQueue.builder("slow")
                    .type("wait", String.class, (todo, run) -> {
                        began.countDown();
                        never.await();
                        return Outcome.complete();
                    })
                    .build();
            try (Scheduler scheduler = start(queue)) {
                assertThat(scheduler.admin().health().running()).isTrue();
                queue.enqueue(NewTodo.of("wait", "p").id("a"));
                assertThat(began.await(30, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(store.find(queue.key("a"))).hasValueSatisfying(left -> {
                assertThat(left.state()).isEqualTo(TimerState.SCHEDULED);
                assertThat(left.attempt()).isZero();
            });
        }
    }

    @Nested
    class InVirtualTime {
        private final List<String> ran = new ArrayList<>();
        private StepHandler<String> handler = (todo, run) -> Outcome.complete();
        private final TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    ran.add(todo.id());
                    return handler.execute(todo, run);
                })
                .build();
        private final TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.todoQueue(queue))
                .build();

        private TimerState state(String id) {
            return kit.store().find(queue.key(id)).orElseThrow().state();
        }

        @Test
        void aStepBeginsAtItsDeadlineButNotATickLater() {
            kit.node(0).close();
            queue.enqueue(NewTodo.of("job", "p").id("in-time").validFor(Duration.ofMinutes(1)));
            queue.enqueue(NewTodo.of("job", "p")
                    .id("late")
                    .validFor(Duration.ofMinutes(1).minusNanos(1_000)));
            kit.advance(Duration.ofMinutes(1));
            kit.node(0).restart();
            kit.runDue();

            assertThat(ran).containsExactly("in-time");
            assertThat(state("late")).isEqualTo(TimerState.EXPIRED);
        }

        @Test
        void aDeadlineEndsATodoBetweenItsSteps() {
            handler = (todo, run) -> {
                kit.clock().linger(Duration.ofSeconds(40));
                return Outcome.next("again");
            };
            queue.enqueue(NewTodo.of("job", "p").id("a").validFor(Duration.ofMinutes(1)));
            kit.advance(Duration.ofMinutes(5));

            assertThat(ran).containsExactly("a", "a");
            assertThat(state("a")).isEqualTo(TimerState.EXPIRED);
        }

        @Test
        void anEnqueuedTodoInheritsTheEarlierDeadline() {
            handler = (todo, run) -> {
                if (todo.id().equals("a")) {
                    queue.enqueue(NewTodo.of("job", "p").id("none"), run);
                    queue.enqueue(NewTodo.of("job", "p").id("later").validFor(Duration.ofDays(1)), run);
                    queue.enqueue(NewTodo.of("job", "p").id("tighter").validFor(Duration.ofSeconds(1)), run);
                    queue.enqueue(NewTodo.of("job", "p").id("own").ownDeadline(), run);
                    assertThatThrownBy(
                                    () -> queue.enqueue(NewTodo.of("job", "p").startAfter(Duration.ofDays(1)), run))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("inherited");
                }
                return Outcome.complete();
            };
            queue.enqueue(NewTodo.of("job", "p").id("a").validFor(Duration.ofMinutes(1)));
            kit.runDue();

            assertThat(expiresAt("none")).isEqualTo(TestClock.START.plusSeconds(60));
            assertThat(expiresAt("later")).isEqualTo(TestClock.START.plusSeconds(60));
            assertThat(expiresAt("tighter")).isEqualTo(TestClock.START.plusSeconds(1));
            assertThat(kit.store()
                            .find(queue.key("own"))
                            .orElseThrow()
                            .content()
                            .expiresAt())
                    .isNull();
        }

        private Instant expiresAt(String id) {
            Instant expiresAt =
                    kit.store().find(queue.key(id)).orElseThrow().content().expiresAt();
            return expiresAt == null ? Instant.MAX : expiresAt;
        }

        @Test
        void anUnreadablePayloadEndsAsDeadAndDelaysNoOther() {
            queue.enqueue(NewTodo.of("job", Payload.of("{}".getBytes(StandardCharsets.UTF_8)))
                    .id("unreadable"));
            queue.enqueue(NewTodo.of("job", "p").id("good"));
            kit.runDue();

            assertThat(ran).containsExactly("good");
            assertThat(state("unreadable")).isEqualTo(TimerState.DEAD);
        }

        @Test
        void anUnknownStepWaitsForANodeThatKnowsIt() {
            Steps<String> steps = Steps.<String>begin("one", (todo, run) -> Outcome.next("two"))
                    .terminal("done")
                    .build();
            handler = steps;
            queue.enqueue(NewTodo.of("job", "p").id("a"));
            kit.runDue();

            StoredTimer waiting = kit.store().find(queue.key("a")).orElseThrow();
            assertThat(waiting.state()).isEqualTo(TimerState.SCHEDULED);
            assertThat(waiting.content().step()).isEqualTo("two");
            assertThat(waiting.attempt()).isZero();
            assertThat(String.valueOf(waiting.failure())).contains("two").contains("[one]");
        }

        @Test
        void aStoreThatGivesNoTransactionSpendsNoAttempt() {
            handler = (todo, run) -> {
                run.transaction(InMemoryTransaction.class);
                return Outcome.complete();
            };
            kit.node(0).storeDown(call -> call == StoreCall.BEGIN);
            queue.enqueue(NewTodo.of("job", "p").id("a"));
            kit.advance(Duration.ofMinutes(5));
            assertThat(ran).hasSizeGreaterThan(10);
            assertThat(state("a")).isEqualTo(TimerState.SCHEDULED);
            assertThat(kit.store().find(queue.key("a")).orElseThrow().attempt()).isZero();

            kit.node(0).storeUp();
            kit.advance(Duration.ofMinutes(1));
            assertThat(state("a")).isEqualTo(TimerState.REACHED);
        }

        @Test
        void aTypeThatTheQueueDoesNotKnowIsRefused() {
            assertThatThrownBy(() -> queue.enqueue(NewTodo.of("other", "p")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("[job]")
                    .hasMessageContaining("other");
        }
    }
}
