package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.duetime.PayloadCodec;
import dev.duetime.PayloadException;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.handlers.Handlers;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoTypeBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rule that each failure spends an attempt, and the last one ends the timer, whatever the exception does. */
class FailingErrorTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final RetryPolicy THREE = RetryPolicy.fixed(SECOND).maxAttempts(3);

    private int runs;

    static Stream<Throwable> exceptionsThatFail() {
        return FailingException.all();
    }

    private TodoQueue queue(Consumer<TodoTypeBuilder<String>> type, RetryPolicy retry, Throwable thrown) {
        return TodoQueue.builder("work")
                .type(
                        "job",
                        String.class,
                        (todo, run) -> {
                            runs++;
                            FailingErrorTest.<RuntimeException>sneak(thrown);
                            return Outcome.complete();
                        },
                        type)
                .retry(retry)
                .build();
    }

    private void diesAfterThreeRuns(TodoQueue queue) {
        TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.todoQueue(queue))
                .build();
        queue.enqueue(NewTodo.of("job", "p").id("a"));
        kit.advance(SECOND.multipliedBy(30));
        assertThat(runs).isEqualTo(3);
        isDead(kit, queue.key("a"));
    }

    private static void isDead(TimerKit kit, TimerKey key) {
        StoredTimer timer = kit.store().find(key).orElseThrow();
        assertThat(timer.state()).isEqualTo(TimerState.DEAD);
        assertThat(timer.attempt()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("exceptionsThatFail")
    void aTodoWhoseHandlerThrowsItDies(Throwable failing) {
        diesAfterThreeRuns(queue(type -> {}, THREE, failing));
    }

    @ParameterizedTest
    @MethodSource("exceptionsThatFail")
    void aTodoWhoseOwnDelayThrowsItDies(Throwable failing) {
        diesAfterThreeRuns(queue(
                type -> type.delay((todo, error) -> FailingErrorTest.<Duration, RuntimeException>thrown(failing)),
                THREE,
                new IllegalStateException("away")));
    }

    @ParameterizedTest
    @MethodSource("exceptionsThatFail")
    void aTodoWhoseRetryPolicyThrowsItDies(Throwable failing) {
        RetryPolicy policy = RetryPolicy.custom(
                        (attempts, error) -> FailingErrorTest.<Duration, RuntimeException>thrown(failing), SECOND)
                .maxAttempts(3);
        diesAfterThreeRuns(queue(type -> {}, policy, new IllegalStateException("away")));
    }

    @ParameterizedTest
    @MethodSource("exceptionsThatFail")
    void aTimerWhoseHandlerThrowsItDies(Throwable failing) {
        Handlers handlers = Handlers.builder()
                .on("job", due -> {
                    runs++;
                    FailingErrorTest.<RuntimeException>sneak(failing);
                })
                .build();
        TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.retry(THREE).extension(handlers))
                .build();
        kit.scheduler().schedule(Timer.after("a", SECOND).type("job").build());
        kit.advance(SECOND.multipliedBy(30));
        assertThat(runs).isEqualTo(3);
        isDead(kit, TimerKey.of("a"));
    }

    @ParameterizedTest
    @MethodSource("exceptionsThatFail")
    void aTimerWhosePublisherAndRetryPolicyThrowItDies(Throwable failing) {
        RetryPolicy policy = RetryPolicy.custom(
                        (attempts, error) -> FailingErrorTest.<Duration, RuntimeException>thrown(failing), SECOND)
                .maxAttempts(3);
        TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.retry(policy).publisher(batch -> {
                    if (batch.stream().anyMatch(each -> each.key().timerId().equals("a"))) {
                        FailingErrorTest.<RuntimeException>sneak(failing);
                    }
                }))
                .build();
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        // What gets through meanwhile shows that there is no outage.
        for (int i = 1; i < 60; i++) {
            kit.scheduler()
                    .schedule(Timer.after("t" + i, SECOND.multipliedBy(i)).build());
        }
        kit.advance(SECOND.multipliedBy(60));
        isDead(kit, TimerKey.of("a"));
    }

    @ParameterizedTest
    @MethodSource("exceptionsThatFail")
    void aTodoWhosePayloadCannotBeReadForItDies(Throwable failing) {
        TodoQueue queue = queue(type -> {}, THREE.noRetryOn(), new IllegalStateException("not reached"));
        TimerKit kit = TimerKit.builder()
                .configure(
                        scheduler -> scheduler.codec(new FailingCodec(failing)).todoQueue(queue))
                .build();
        queue.enqueue(NewTodo.of("job", "p").id("a"));
        kit.advance(SECOND.multipliedBy(30));
        isDead(kit, queue.key("a"));
    }

    @ParameterizedTest
    @MethodSource("exceptionsThatFail")
    void aPayloadThatCannotBeWrittenForItIsRefused(Throwable failing) {
        TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.codec(new FailingCodec(failing)))
                .build();
        assertThatExceptionOfType(PayloadException.class)
                .isThrownBy(() -> kit.scheduler()
                        .schedule(Timer.after("a", SECOND).payload("broken").build()));
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    private static <R, T extends Throwable> R thrown(Throwable error) throws T {
        FailingErrorTest.<T>sneak(error);
        throw new IllegalStateException("not reached");
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable error) throws T {
        throw (T) error;
    }

    /** Writes what is not broken, and reads nothing. */
    private record FailingCodec(Throwable failing) implements PayloadCodec {
        @Override
        public byte[] encode(Object payload) {
            if (payload.equals("broken")) {
                FailingErrorTest.<RuntimeException>sneak(failing);
            }
            return payload.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) {
            return FailingErrorTest.<T, RuntimeException>thrown(failing);
        }
    }
}
