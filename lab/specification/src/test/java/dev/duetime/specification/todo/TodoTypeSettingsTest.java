package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoMode;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule that the settings of a todo queue are its own, and which settings are refused. */
class TodoTypeSettingsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final TodoQueue mails = TodoQueue.builder("mails")
            .type(
                    "job",
                    String.class,
                    (todo, run) -> Outcome.retry(new IllegalStateException("mail")),
                    type -> type.validFor(HOUR)
                            .retry(RetryPolicy.fixed(Duration.ofSeconds(1)).maxAttempts(1)))
            .build();
    private final TodoQueue texts = TodoQueue.builder("texts")
            .type("job", String.class, (todo, run) -> Outcome.retry(new IllegalStateException("text")))
            .build();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.todoQueue(mails).todoQueue(texts))
            .build();

    private StoredTimer stored(TimerKey key) {
        return kit.store().find(key).orElseThrow();
    }

    @Test
    void validForOfATodoTypeHoldsInItsQueueOnly() {
        mails.enqueue(NewTodo.of("job", "p").id("mail").startAfter(HOUR));
        texts.enqueue(NewTodo.of("job", "p").id("text").startAfter(HOUR));
        kit.scheduler().schedule(Timer.after("timer", HOUR).type("job").build());

        assertThat(stored(mails.key("mail")).content().expiresAt())
                .isEqualTo(kit.now().plus(HOUR).plus(HOUR));
        assertThat(stored(texts.key("text")).content().expiresAt()).isNull();
        assertThat(stored(TimerKey.of("timer")).content().expiresAt()).isNull();
    }

    @Test
    void retriesOfATodoTypeHoldInItsQueueOnly() {
        mails.enqueue(NewTodo.of("job", "p").id("mail"));
        texts.enqueue(NewTodo.of("job", "p").id("text"));
        kit.publisher().failPartiallyOn(envelope -> envelope.key().timerId().equals("timer"));
        kit.scheduler().schedule(Timer.at("timer", kit.now()).type("job").build());
        kit.scheduler().schedule(Timer.at("other", kit.now()).build());
        kit.runDue();

        assertThat(stored(mails.key("mail")).state()).isEqualTo(TimerState.DEAD);
        assertThat(stored(texts.key("text")).state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(stored(TimerKey.of("timer")).state()).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void aPayloadOfAnotherClassIsRefusedWhenItIsEnqueued() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        mails.enqueue(NewTodo.of("job", Map.of("secret", "p")).id("a")))
                .withMessageContaining("job")
                .withMessageContaining("java.lang.String")
                .withMessageNotContaining("secret");
        assertThat(kit.store().find(mails.key("a"))).isEmpty();
    }

    @Test
    void aTodoQueueWithAPublisherIsRefused() {
        for (TodoQueue named : new TodoQueue[] {
            TodoQueue.builder(Timer.DEFAULT_QUEUE).build(),
            TodoQueue.builder(Timer.DEFAULT_QUEUE).enqueuesOnly().build()
        }) {
            assertThatThrownBy(() -> kit.addNode(scheduler -> scheduler.todoQueue(named)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(Timer.DEFAULT_QUEUE)
                    .hasMessageContaining("publisher");
        }
    }

    @Test
    void aNodeThatOnlyEnqueuesGivesASequentialQueueOneShard() {
        TodoQueue first = TodoQueue.builder("orders")
                .type("job", String.class, (todo, run) -> Outcome.complete())
                .mode(TodoMode.SEQUENTIAL)
                .enqueuesOnly()
                .build();
        kit.addNode(scheduler -> scheduler.todoQueue(first));
        first.enqueue(NewTodo.of("job", "p"));

        assertThat(kit.store().leases().view("orders").leases()).hasSize(1);
    }
}
