package dev.duetime.specification.failure;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.PayloadCodec;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rule that a user's object which throws when it is called costs one attempt, and affects no others. */
class UserErrorTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> called = new ArrayList<>();

    static Stream<Throwable> exceptionsThatFail() {
        return FailingException.all();
    }

    static Stream<Throwable> errorsOfTheMachineThatLibrariesThrow() {
        return Stream.of(new InternalError("of a library"), new OutOfMemoryError(), new StackOverflowError());
    }

    private void scheduleBadBetweenGoodOnes(TimerKit kit) {
        for (String id : List.of("a", "bad", "b")) {
            kit.scheduler().schedule(Timer.after(id, SECOND).build());
        }
    }

    private static StoredTimer stored(TimerKit kit, String timerId) {
        return kit.store().query(TimerQuery.all()).stream()
                .filter(each -> each.key().timerId().equals(timerId))
                .findFirst()
                .orElseThrow();
    }

    private TimerKit throwing(Throwable error) {
        return TimerKit.builder()
                .configure(scheduler -> scheduler.publisher(batch -> {
                    for (Envelope each : batch) {
                        if (each.key().timerId().equals("bad")) {
                            UserErrorTest.<RuntimeException>sneak(error);
                        }
                    }
                    batch.forEach(each -> called.add(each.key().timerId()));
                }))
                .build();
    }

    private void costsOneAttemptAndRepeatsNobody(TimerKit kit) {
        scheduleBadBetweenGoodOnes(kit);
        kit.advance(SECOND);
        assertThat(called).containsExactlyInAnyOrder("a", "b");
        assertThat(stored(kit, "bad").attempt()).isEqualTo(1);
        assertThat(Objects.requireNonNull(stored(kit, "bad").failure()).error()).isNotEmpty();
        kit.advance(Duration.ofMinutes(5));
        assertThat(called).containsExactlyInAnyOrder("a", "b");
    }

    @ParameterizedTest
    @MethodSource("exceptionsThatFail")
    void anExceptionThatCannotBeReadIsAnOrdinaryFailure(Throwable failing) {
        costsOneAttemptAndRepeatsNobody(throwing(failing));
    }

    @ParameterizedTest
    @MethodSource("exceptionsThatFail")
    void anUnreadableExceptionThatThePublisherNamesIsAnOrdinaryFailure(Throwable failing) {
        costsOneAttemptAndRepeatsNobody(TimerKit.builder()
                .configure(scheduler -> scheduler.publisher(batch -> {
                    batch.stream()
                            .filter(each -> !isBad(each))
                            .forEach(each -> called.add(each.key().timerId()));
                    for (Envelope each : batch) {
                        if (isBad(each)) {
                            throw new PartialPublishException(Map.of(each.id(), failing));
                        }
                    }
                }))
                .build());
    }

    private static boolean isBad(Envelope envelope) {
        return envelope.key().timerId().equals("bad");
    }

    @ParameterizedTest
    @MethodSource("errorsOfTheMachineThatLibrariesThrow")
    void anErrorThatALibraryThrowsIsAFailureLikeAnyOther(Throwable error) {
        costsOneAttemptAndRepeatsNobody(throwing(error));
    }

    @Test
    void aRetryDelayThatThrowsIsReplaced() {
        TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler
                        .publisher(batch -> {
                            if (batch.stream().anyMatch(UserErrorTest::isBad)) {
                                throw new IllegalStateException("refused");
                            }
                            batch.forEach(each -> called.add(each.key().timerId()));
                        })
                        .retry(RetryPolicy.custom(
                                (attempts, error) -> {
                                    throw new Own();
                                },
                                SECOND.multipliedBy(60))))
                .build();
        costsOneAttemptAndRepeatsNobody(kit);
    }

    @ParameterizedTest
    @MethodSource("exceptionsThatFail")
    void anUnreadableExceptionOfATickHandlerDelaysNoOther(Throwable failing) {
        PassageOfTime time = PassageOfTime.builder()
                .on(MinuteHasPassed.class, "a", minute -> called.add("a"))
                .on(MinuteHasPassed.class, "bad", minute -> UserErrorTest.<RuntimeException>sneak(failing))
                .on(MinuteHasPassed.class, "c", minute -> called.add("c"))
                .build();
        TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.extension(time))
                .build();
        kit.advance(Duration.ofMinutes(1).plus(SECOND));

        assertThat(called).containsExactlyInAnyOrder("a", "c");
    }

    @ParameterizedTest
    @MethodSource("exceptionsThatFail")
    void aTodosExceptionThatFailsCostsAnAttempt(Throwable failing) {
        int[] runs = {0};
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    runs[0]++;
                    UserErrorTest.<RuntimeException>sneak(failing);
                    return Outcome.complete();
                })
                .retry(RetryPolicy.fixed(Duration.ofHours(1)))
                .build();
        TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.todoQueue(queue))
                .build();
        queue.enqueue(NewTodo.of("job", "p").id("bad"));
        kit.advance(Duration.ofMinutes(5));

        assertThat(runs[0]).isEqualTo(1);
        assertThat(stored(kit, "bad").attempt()).isEqualTo(1);
    }

    @Test
    void anErrorOfTheCodecCostsTheTodoAnAttempt() {
        int[] runs = {0};
        TodoQueue queue = TodoQueue.builder("work")
                .type("job", String.class, (todo, run) -> {
                    runs[0]++;
                    return Outcome.next("second").with("broken");
                })
                .retry(RetryPolicy.fixed(Duration.ofHours(1)).noRetryOn())
                .build();
        TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.codec(new FailingCodec()).todoQueue(queue))
                .build();
        queue.enqueue(NewTodo.of("job", "p").id("bad"));
        kit.advance(Duration.ofMinutes(5));

        assertThat(runs[0]).isEqualTo(1);
        assertThat(stored(kit, "bad").attempt()).isEqualTo(1);
        assertThat(stored(kit, "bad").state()).isEqualTo(TimerState.SCHEDULED);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable error) throws T {
        throw (T) error;
    }

    /** An error that no catch clause could name. */
    private static final class Own extends Error {
        private static final long serialVersionUID = 1L;
    }

    private static final class FailingCodec implements PayloadCodec {
        @Override
        public byte[] encode(Object payload) {
            if (payload.equals("broken")) {
                throw new Own();
            }
            return payload.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) {
            return type.cast(new String(bytes, java.nio.charset.StandardCharsets.UTF_8));
        }
    }
}
