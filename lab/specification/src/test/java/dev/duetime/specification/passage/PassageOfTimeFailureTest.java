package dev.duetime.specification.passage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.PartialPublishException;
import dev.duetime.Publisher;
import dev.duetime.Timer;
import dev.duetime.TimerState;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rule that a failure of one subscription affects no other. */
class PassageOfTimeFailureTest {
    private final List<String> told = new ArrayList<>();
    private final InMemoryPublisher broker = new InMemoryPublisher();
    private int thrown;

    static Stream<Throwable> whateverIsTheFaultOfWhoWasCalled() {
        return Stream.of(
                new IOException("no"),
                new IllegalStateException("no"),
                new Error("no"),
                new AssertionError("no"),
                new ExceptionInInitializerError("no"),
                new NoClassDefFoundError("no"),
                new StackOverflowError(),
                new OutOfMemoryError(),
                new PartialPublishException(Map.of("of another batch", new IOException("no"))));
    }

    /** A handler that throws once. */
    private void fail(Throwable failure) throws Exception {
        thrown++;
        if (thrown > 1) {
            return;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }

    /** The handlers before and after the one that fails. */
    private void advanceBesideOthers(PassageOfTime.Builder time) {
        PassageOfTime built = time.on(MinuteHasPassed.class, "a", minute -> told.add("a"))
                .on(MinuteHasPassed.class, "z", minute -> told.add("z"))
                .publish("b", broker, MinuteHasPassed.class)
                .build();
        try (TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.extension(built))
                .build()) {
            kit.advance(Duration.ofSeconds(90));
        }
    }

    @ParameterizedTest
    @MethodSource("whateverIsTheFaultOfWhoWasCalled")
    void onlyTheFailingHandlerIsCalledAgain(Throwable failure) {
        advanceBesideOthers(PassageOfTime.builder().on(MinuteHasPassed.class, "fails", minute -> {
            fail(failure);
            told.add("fails");
        }));

        assertThat(told).containsExactly("a", "z", "fails");
        assertThat(thrown).isEqualTo(2);
        assertThat(broker.delivered()).hasSize(1);
    }

    @Test
    void aTimerOnTheQueueOfTicksIsGivenUp() {
        PassageOfTime time = PassageOfTime.builder()
                .on(MinuteHasPassed.class, "a", minute -> told.add("a"))
                .build();
        try (TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler.extension(time))
                .build()) {
            Timer lost =
                    Timer.after("lost", Duration.ofSeconds(1)).queue("passage").build();
            kit.scheduler().schedule(lost);
            kit.advance(Duration.ofDays(2));

            assertThat(kit.store().find(lost.key()).orElseThrow().state()).isEqualTo(TimerState.DEAD);
        }
    }

    @ParameterizedTest
    @MethodSource("whateverIsTheFaultOfWhoWasCalled")
    void onlyTheFailingPublisherIsCalledAgain(Throwable failure) {
        Publisher publisher = batch -> {
            fail(failure);
            batch.forEach(each -> told.add(each.type()));
        };
        advanceBesideOthers(PassageOfTime.builder()
                .publish("fails", publisher, MinuteHasPassed.class)
                .publish("fails-too", publisher, MinuteHasPassed.class));

        assertThat(told).containsExactly("a", "z", "MinuteHasPassed", "MinuteHasPassed");
        assertThat(thrown).isBetween(2, 3);
        assertThat(broker.delivered()).hasSize(1);
    }
}
