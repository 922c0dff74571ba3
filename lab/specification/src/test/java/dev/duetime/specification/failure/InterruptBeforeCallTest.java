package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.PayloadCodec;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.SystemClock;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.EachCall;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todolist.TodoList;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The rule that code of the user which a thread of the engine runs may leave its interrupt flag set before it calls the
 * scheduler, or in a hook that this call runs: the flag does not reach the store.
 */
class InterruptBeforeCallTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> callsInterrupted = new ArrayList<>();
    private final ScheduleStore store = EachCall.of(new InMemoryScheduleStore(new TestClock()), this::note);
    private final List<String> ran = new ArrayList<>();

    @AfterEach
    void clearTheFlagOfATestThatFails() {
        Thread.interrupted();
    }

    private void note(String call) {
        if (Thread.currentThread().isInterrupted()) {
            callsInterrupted.add(call);
        }
    }

    private static void interrupt() {
        Thread.currentThread().interrupt();
    }

    /** Lets a publisher call the scheduler, and checks that no call of the store saw the flag. */
    private void inAPublisher(Consumer<SchedulerBuilder> settings, Consumer<Scheduler> calls) {
        Scheduler[] scheduler = new Scheduler[1];
        TimerKit kit = TimerKit.builder()
                .store(store)
                .configure(settings)
                .configure(builder -> builder.publisher(batch -> {
                    ran.add("publisher");
                    if (ran.size() == 1) {
                        calls.accept(scheduler[0]);
                    }
                }))
                .build();
        scheduler[0] = kit.scheduler();
        kit.scheduler().schedule(Timer.after("first", SECOND).build());
        Thread.interrupted();
        callsInterrupted.clear();
        kit.advance(SECOND.multipliedBy(5));

        assertThat(ran).contains("publisher");
        assertThat(callsInterrupted).isEmpty();
    }

    private static void schedule(Scheduler scheduler) {
        scheduler.schedule(TimerKey.of("second"), SECOND, "payload");
    }

    @Test
    void ofAPublisherThatSchedules() {
        inAPublisher(builder -> {}, scheduler -> {
            interrupt();
            schedule(scheduler);
        });
    }

    @Test
    void ofAPublisherThatCancelsFindsAndQueries() {
        inAPublisher(builder -> {}, scheduler -> {
            interrupt();
            scheduler.cancel(TimerKey.of("second"));
            interrupt();
            scheduler.find(TimerKey.of("second"));
            interrupt();
            scheduler.query(TimerQuery.all());
            interrupt();
            scheduler.store().find(TimerKey.of("second"));
        });
    }

    @Test
    void ofAPublisherThatAddsToAList() {
        TodoList<String> list = TodoList.of("cases");
        inAPublisher(builder -> builder.extension(list), scheduler -> {
            interrupt();
            list.add("a", SECOND);
            interrupt();
            list.done("a");
        });
    }

    @Test
    void ofACodec() {
        inAPublisher(builder -> builder.codec(new InterruptingCodec()), InterruptBeforeCallTest::schedule);
    }

    @Test
    void ofAPropagation() {
        inAPublisher(builder -> builder.propagation(headers -> interrupt()), InterruptBeforeCallTest::schedule);
    }

    @Test
    void ofASupplierOfTransactions() {
        TodoList<String> list = TodoList.of("cases");
        inAPublisher(
                builder -> builder.extension(list).callersTransaction(() -> {
                    interrupt();
                    return Optional.empty();
                }),
                scheduler -> list.done("a"));
    }

    @Test
    void ofTheCodecOfAMerge() {
        TodoQueue queue = TodoQueue.builder("work")
                .type(
                        "count",
                        String.class,
                        (todo, run) -> Outcome.complete(),
                        type -> type.merge(Merge.collect(String::concat)))
                .build();
        inAPublisher(builder -> builder.codec(new InterruptingCodec()).todoQueue(queue), scheduler -> {
            queue.enqueue(NewTodo.of("count", "a").correlationKey("key").startAfter(SECOND));
            queue.enqueue(NewTodo.of("count", "b").correlationKey("key").startAfter(SECOND));
        });
    }

    @Test
    void ofAHandlerThatBeginsATransaction() {
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    ran.add("handler");
                    interrupt();
                    run.transaction(Transaction.class);
                    interrupt();
                    run.schedule(Timer.after("second", SECOND).build());
                    return Outcome.complete();
                })
                .build();
        TimerKit kit = TimerKit.builder()
                .store(store)
                .configure(builder -> builder.todoQueue(queue))
                .build();
        queue.enqueue(NewTodo.of("job", "p"));
        kit.advance(SECOND);

        assertThat(ran).containsExactly("handler");
        assertThat(callsInterrupted).isEmpty();
    }

    /** Uses real threads. */
    @Test
    void theInterruptOfATimeLimitOutlastsACall() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                    run.schedule(Timer.after("second", SECOND).build());
                    try {
                        never.await();
                    } finally {
                        over.countDown();
                    }
                    return Outcome.complete();
                })
                .timeLimit(Duration.ofMillis(10))
                .build();
        try (Scheduler scheduler = Scheduler.builder()
                .store(new InMemoryScheduleStore(new SystemClock()))
                .todoQueue(queue)
                .build()) {
            scheduler.start();
            queue.enqueue(NewTodo.of("job", "p"));
            assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static final class InterruptingCodec implements PayloadCodec {
        @Override
        public byte[] encode(Object payload) {
            interrupt();
            return payload.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) {
            return type.cast(new String(bytes, StandardCharsets.UTF_8));
        }
    }
}
