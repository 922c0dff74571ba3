package dev.duetime.specification.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.duetime.Payload;
import dev.duetime.PostponedException;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.handlers.Handlers;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.TimerKit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers get the timers of their type on their queue, with the payload as an object. */
class HandlersTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    private final List<String> handled = new ArrayList<>();
    private int failures;

    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .extension(Handlers.builder()
                            .queue("orders")
                            .on("order", Order.class, order -> handled.add("order " + order.id()))
                            .on(
                                    "paid",
                                    Order.class,
                                    (order, envelope) -> handled.add("paid " + order.id() + " by "
                                            + envelope.key().timerId()))
                            .on("fails", envelope -> {
                                failures++;
                                throw new IllegalStateException("always");
                            })
                            .on("later", envelope -> {
                                throw new PostponedException(Duration.ofDays(1));
                            })
                            .build())
                    .extension(Handlers.builder()
                            .queue("mails")
                            .on(
                                    "order",
                                    envelope ->
                                            handled.add("mail " + envelope.key().timerId()))
                            .build()))
            .build();

    record Order(int id) {}

    @AfterEach
    void close() {
        kit.close();
    }

    private void schedule(String id, String queue, String type, Object payload) {
        kit.scheduler()
                .schedule(Timer.after(id, SOON)
                        .queue(queue)
                        .type(type)
                        .payload(payload)
                        .build());
    }

    private StoredTimer find(String id) {
        return kit.scheduler().find(TimerKey.of(id)).orElseThrow();
    }

    @Test
    void eachTypeGoesToItsHandlerOnItsQueue() {
        schedule("a", "orders", "order", new Order(17));
        schedule("b", "orders", "paid", new Order(18));
        schedule("c", "mails", "order", "not an order");

        kit.advance(SOON);

        assertThat(handled).containsExactlyInAnyOrder("order 17", "paid 18 by b", "mail c");
        assertThat(find("a").state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void aFailedTimerSpendsAnAttemptAndTheOthersOfItsBatchAreHandledOnce() {
        schedule("a", "orders", "order", new Order(16));
        schedule("b", "orders", "fails", new Order(17));
        schedule("c", "orders", "order", new Order(18));

        kit.advance(SOON);

        assertThat(handled).containsExactly("order 16", "order 18");
        assertThat(failures).isEqualTo(1);
        assertThat(find("b").attempt()).isEqualTo(1);
        assertThat(kit.scheduler().admin().health().isHealthy()).isTrue();

        kit.advance(SOON);
        assertThat(failures).isGreaterThan(2);
    }

    @Test
    void aTimerThatExpiresWhileOthersOfItsBatchAreHandledIsNotHandled() {
        Duration slow = SOON.dividedBy(2);
        TimerKit[] other = new TimerKit[1];
        other[0] = TimerKit.builder()
                .configure(scheduler -> scheduler.extension(Handlers.builder()
                        .on("slow", envelope -> {
                            handled.add(envelope.key().timerId());
                            other[0].clock().linger(slow);
                        })
                        .build()))
                .build();
        for (String id : List.of("a", "b", "c")) {
            other[0].scheduler()
                    .schedule(Timer.after(id, SOON)
                            .type("slow")
                            .validFor(slow.plusMillis(1))
                            .build());
        }

        other[0].advance(SOON.multipliedBy(3));

        assertThat(handled).containsExactly("a", "b");
        assertThat(other[0].scheduler().find(TimerKey.of("c")).orElseThrow().state())
                .isEqualTo(TimerState.EXPIRED);
        other[0].close();
    }

    @Test
    void aFailureOfTheOnlyTimerIsNoOutage() {
        schedule("a", "orders", "fails", new Order(17));

        kit.advance(SOON.multipliedBy(2));

        assertThat(failures).isGreaterThan(2);
        assertThat(find("a").attempt()).isEqualTo(failures);
    }

    @Test
    void aTypeWithoutAHandlerWaitsWithoutAnAttemptForANodeThatHasOne() {
        schedule("a", "orders", "unknown", new Order(17));
        schedule("b", "orders", "order", new Order(18));

        kit.advance(SOON);

        assertThat(handled).containsExactly("order 18");
        assertThat(find("a").state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(find("a").attempt()).isZero();

        kit.node(0).scheduler().close();
        Scheduler newVersion = Scheduler.builder()
                .store(kit.store())
                .clock(kit.clock())
                .extension(Handlers.builder()
                        .queue("orders")
                        .on("unknown", Order.class, order -> handled.add("known " + order.id()))
                        .build())
                .build();
        newVersion.start();
        kit.advance(Duration.ofMinutes(2));

        assertThat(handled).containsExactly("order 18", "known 17");
        assertThat(find("a").state()).isEqualTo(TimerState.REACHED);
        newVersion.close();
    }

    @Test
    void aPayloadThatIsNotOfTheClassEndsTheTimerAsDead() {
        schedule("a", "orders", "order", Payload.of("{\"id\":\"none\"}".getBytes(StandardCharsets.UTF_8)));
        schedule("b", "orders", "order", new Order(18));

        kit.advance(SOON);

        assertThat(handled).containsExactly("order 18");
        assertThat(find("a").state()).isEqualTo(TimerState.DEAD);
    }

    @Test
    void aPostponedTimerSpendsNoAttempt() {
        schedule("a", "orders", "later", new Order(17));

        kit.advance(SOON);

        assertThat(find("a").state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(find("a").attempt()).isZero();
    }

    @Test
    void aTypeHasOneHandler() {
        Handlers.Builder builder = Handlers.builder().on("order", envelope -> {});

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.recurring("order", Recurrence.every(SOON), envelope -> {}))
                .withMessage("type must have one handler but has another: 'order'");
    }

    @Test
    void handlersOfOneQueueAreAddedOnce() {
        Handlers one =
                Handlers.builder().queue("orders").on("a", envelope -> {}).build();

        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> kit.addNode(scheduler -> scheduler.extension(one).extension(one)))
                .withMessage("extension must be added once but was again: handlers of queue orders");
    }

    @Test
    void thereIsAtLeastOneHandler() {
        assertThatIllegalArgumentException().isThrownBy(() -> Handlers.builder().build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "line\nbreak"})
    void aBadTypeIsRefused(String type) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Handlers.builder().on(type, envelope -> {}))
                .withMessageStartingWith("type must");
    }
}
