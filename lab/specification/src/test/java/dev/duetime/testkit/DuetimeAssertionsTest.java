package dev.duetime.testkit;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Envelope;
import dev.duetime.ScheduleResult;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(DuetimeExtension.class)
class DuetimeAssertionsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    record Order(int id, String secret) {}

    private static void passes(ThrowingCallable assertion) {
        assertThatCode(assertion).doesNotThrowAnyException();
    }

    private static void fails(ThrowingCallable assertion, String... messageParts) {
        assertThatThrownBy(assertion)
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(messageParts)
                .hasMessageNotContaining("s3cret");
    }

    @Nested
    class Deliveries {
        private void given(TimerKit kit) {
            kit.scheduler()
                    .schedule(Timer.after("b", MINUTE)
                            .payload(new Order(1, "s3cret"))
                            .build());
            kit.advance(MINUTE);
            kit.scheduler().schedule(Timer.after("a", MINUTE).build());
            kit.advance(MINUTE);
        }

        @Test
        void knowsWhatWasDelivered(TimerKit kit) {
            given(kit);
            passes(() -> assertThat(kit).hasDelivered("a").hasDelivered(TimerKey.of("b")));
            passes(() -> assertThat(kit.publisher()).hasDelivered("a"));
            fails(
                    () -> assertThat(kit).hasDelivered("c"),
                    "timer default/c to be delivered",
                    "default/b (attempt 1 at 2030-01-01T00:01:00Z), default/a (attempt 1 at 2030-01-01T00:02:00Z)");
            fails(() -> assertThat(kit).hasDelivered(TimerKey.of("acme", "a")), "acme/a");
        }

        @Test
        void knowsWhatWasNotDelivered(TimerKit kit) {
            passes(() -> assertThat(kit).hasDeliveredNothing().hasNotDelivered("a"));
            fails(() -> assertThat(kit).hasDelivered("a"), "delivered was nothing");
            given(kit);
            fails(() -> assertThat(kit).hasDeliveredNothing(), "nothing to be delivered", "default/b");
            fails(() -> assertThat(kit).hasNotDelivered("a"), "default/a not to be delivered");
            passes(() -> assertThat(kit).hasNotDelivered("c"));
        }

        @Test
        void knowsHowOftenAndHowMuchWasDelivered(TimerKit kit) {
            given(kit);
            passes(() -> assertThat(kit).hasDeliveredCount(2).hasDeliveredOnce("a"));
            fails(() -> assertThat(kit).hasDeliveredCount(3), "Expected 3", "there were 2");
            fails(() -> assertThat(kit).hasDeliveredOnce("c"), "once but it was 0 times");
            kit.scheduler().schedule(Timer.after("a", MINUTE).rearm().build());
            kit.advance(MINUTE);
            fails(() -> assertThat(kit).hasDeliveredOnce("a"), "once but it was 2 times");
        }

        @Test
        void knowsTheOrder(TimerKit kit) {
            given(kit);
            passes(() -> assertThat(kit).hasDeliveredInOrder("b", "a"));
            fails(() -> assertThat(kit).hasDeliveredInOrder("a", "b"), "[default/a, default/b]");
            fails(() -> assertThat(kit).hasDeliveredInOrder("b"), "in this order");
            fails(() -> assertThat(kit).hasDeliveredInOrder("b", "a", "c"), "in this order");
        }

        @Test
        void leadsToTheLastEnvelopeOfATimer(TimerKit kit) {
            given(kit);
            passes(() -> assertThat(kit).lastOf("a").wasReachedAt(kit.now()));
            fails(() -> assertThat(kit).lastOf("c"), "default/c");
        }
    }

    @Nested
    class OfAnEnvelope {
        private Envelope given(TimerKit kit) {
            kit.scheduler()
                    .schedule(Timer.after("a", MINUTE)
                            .type("order")
                            .payload(new Order(17, "s3cret"))
                            .correlationId("c-1")
                            .header("h", "v")
                            .build());
            kit.advance(MINUTE);
            return kit.delivered().get(0);
        }

        @Test
        void passesWhereAllIsAsExpected(TimerKit kit) {
            Envelope envelope = given(kit);
            passes(() -> assertThat(envelope)
                    .hasKey("a")
                    .hasId(envelope.id())
                    .hasQueue("default")
                    .hasType("order")
                    .hasAttempt(1)
                    .wasDueAt(kit.now())
                    .wasReachedAt(kit.now())
                    .hasCorrelationId("c-1")
                    .hasHeader("h", "v")
                    .hasPayload(new Order(17, "s3cret"), Order.class));
        }

        @Test
        void failsWhereAnythingIsOtherwise(TimerKit kit) {
            Envelope envelope = given(kit);
            List<ThrowingCallable> wrong = List.of(
                    () -> assertThat(envelope).hasKey("b"),
                    () -> assertThat(envelope).hasKey(TimerKey.of("acme", "a")),
                    () -> assertThat(envelope).hasId("x"),
                    () -> assertThat(envelope).hasQueue("mail"),
                    () -> assertThat(envelope).hasType("timer"),
                    () -> assertThat(envelope).hasAttempt(2),
                    () -> assertThat(envelope).wasDueAt(kit.now().plusNanos(1_000)),
                    () -> assertThat(envelope).wasReachedAt(kit.now().plusNanos(1_000)),
                    () -> assertThat(envelope).hasCorrelationId(null),
                    () -> assertThat(envelope).hasHeader("h", "w"),
                    () -> assertThat(envelope).hasHeader("i", "v"),
                    () -> assertThat(envelope).hasNoPayload());
            wrong.forEach(assertion -> fails(assertion, "Expected ", "default/a (attempt 1 at 2030-01-01T00:01:00Z)"));
        }

        @Test
        void showsOfAPayloadWhatIsCompared(TimerKit kit) {
            Envelope envelope = given(kit);
            assertThatThrownBy(() -> assertThat(envelope).hasPayload(new Order(18, "x"), Order.class))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContainingAll("payload of default/a", "Order[id=18, secret=x]", "Order[id=17");
        }

        @Test
        void knowsThatThereIsNoPayload(TimerKit kit) {
            kit.scheduler().schedule(Timer.after("none", MINUTE).build());
            kit.advance(MINUTE);
            passes(() -> assertThat(kit).lastOf("none").hasNoPayload().hasCorrelationId(null));
        }
    }

    @Nested
    class OfAScheduleResult {
        @Test
        void knowsWhatWasDone(TimerKit kit) {
            Timer timer = Timer.at("a", kit.now().plus(MINUTE)).build();
            ScheduleResult created = kit.scheduler().schedule(timer);
            ScheduleResult unchanged = kit.scheduler().schedule(timer);
            ScheduleResult moved =
                    kit.scheduler().schedule(Timer.at("a", kit.now()).build());
            kit.runDue();
            ScheduleResult ignored = kit.scheduler().schedule(timer);
            passes(() -> assertThat(created).isCreated().hasKey("a").hasState(TimerState.SCHEDULED));
            passes(() -> assertThat(unchanged).isUnchanged());
            passes(() -> assertThat(moved).isRescheduled());
            passes(() -> assertThat(ignored).isIgnored(TimerState.REACHED));
            fails(() -> assertThat(created).isUnchanged(), "default/a", "<UNCHANGED>", "<CREATED>");
            fails(() -> assertThat(unchanged).isCreated(), "<CREATED>", "<UNCHANGED>");
            fails(() -> assertThat(created).isRescheduled(), "<RESCHEDULED>");
            fails(() -> assertThat(ignored).isIgnored(TimerState.DEAD), "<DEAD>", "<REACHED>");
            fails(() -> assertThat(created).hasKey("b"), "default/b", "default/a");
        }
    }
}
