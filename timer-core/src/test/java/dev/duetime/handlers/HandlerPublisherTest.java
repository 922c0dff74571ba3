package dev.duetime.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.PartialPublishException;
import dev.duetime.Payload;
import dev.duetime.PostponedException;
import dev.duetime.TimerKey;
import dev.duetime.internal.UserCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rule that a handler's interrupts and errors are failures of that handler, unless the node is being closed. */
class HandlerPublisherTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final List<String> handled = new ArrayList<>();
    private boolean closing;

    private static Envelope envelope(String id) {
        DueTimeReached reached = new DueTimeReached(TimerKey.of(id), "type", NOW, NOW, null, null, Payload.NONE);
        return new Envelope(id, "default", 1, 0, Map.of(), reached);
    }

    private interface Call {
        void handle(String id) throws Exception;
    }

    /**
     * Publishes three timers. The handler of the second one runs the given call. Returns the failures by the id of the
     * envelope.
     */
    private Map<String, Throwable> publish(Call second) {
        HandlerPublisher publisher = new HandlerPublisher(Map.of("type", envelope -> {
            if (envelope.id().equals("b")) {
                second.handle(envelope.id());
            }
            handled.add(envelope.id());
        }));
        UserCode.Answer<Boolean> answer = new UserCode(() -> closing)
                .run(() -> publisher.publish(Stream.of("a", "b", "c")
                        .map(HandlerPublisherTest::envelope)
                        .toList()));
        assertThat(answer.isInterrupted()).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        return answer.error() instanceof PartialPublishException partial ? partial.failures() : Map.of();
    }

    static Stream<Throwable> whateverItThrows() {
        return Stream.of(
                new InterruptedException("of the user"),
                new Error("of the user"),
                new OutOfMemoryError("of the user"),
                new InternalError("of the user"),
                new IllegalStateException("of the user") {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public synchronized Throwable getCause() {
                        throw new IllegalStateException("no cause");
                    }
                });
    }

    @ParameterizedTest
    @MethodSource("whateverItThrows")
    void anExceptionOfAHandlerIsAFailureOfItsOwnTimer(Throwable thrown) {
        Map<String, Throwable> failures = publish(id -> {
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (Exception) thrown;
        });

        assertThat(failures).containsOnlyKeys("b");
        assertThat(failures.get("b")).isInstanceOf(HandlerException.class);
        assertThat(handled).containsExactly("a", "c");
    }

    @Test
    void anInterruptFlagLeftByAHandlerAffectsNoOthers() {
        assertThat(publish(id -> Thread.currentThread().interrupt())).isEmpty();
        assertThat(handled).containsExactly("a", "b", "c");
    }

    @Test
    void closePostponesTheInterruptedTimerAndThoseAfterIt() {
        Map<String, Throwable> failures = publish(id -> {
            closing = true;
            throw new InterruptedException("by close");
        });

        assertThat(failures)
                .containsOnlyKeys("b", "c")
                .allSatisfy((id, why) -> assertThat(why).isInstanceOf(PostponedException.class));
        assertThat(handled).containsExactly("a");
    }

    @Test
    void aHandlerThatEndsInSpiteOfTheInterruptHasHandledItsTimer() {
        Map<String, Throwable> failures = publish(id -> {
            closing = true;
            Thread.currentThread().interrupt();
        });

        assertThat(failures).containsOnlyKeys("c");
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void noHandlerBeginsWhileTheSchedulerCloses() {
        Map<String, Throwable> failures = publish(id -> closing = true);

        assertThat(failures).containsOnlyKeys("c");
        assertThat(handled).containsExactly("a", "b");
    }
}
