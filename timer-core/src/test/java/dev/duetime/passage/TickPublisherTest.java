package dev.duetime.passage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.Payload;
import dev.duetime.PostponedException;
import dev.duetime.Publisher;
import dev.duetime.TimerKey;
import dev.duetime.internal.UserCode;
import dev.duetime.recurrence.CalendarRecurrence;
import dev.duetime.recurrence.CalendarRules;
import dev.duetime.recurrence.CalendarUnit;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.recurrence.WorkingDays;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of a batch of ticks when close interrupts one of its handlers. */
class TickPublisherTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<String> handled = new ArrayList<>();
    private boolean closing;
    private final UserCode whileClosing = new UserCode(() -> closing);

    private static Subscription subscription(String name, Action action) {
        return new Subscription(name, "0-every/PT1M", Recurrence.every(MINUTE), null, action);
    }

    private Subscription handler(String name) {
        return subscription(name, new Action.Handled(event -> handled.add(name)));
    }

    private static Subscription publisher(String name, Publisher publisher) {
        return subscription(name, new Action.Published(publisher));
    }

    /** Publishes one tick of each subscription. */
    private UserCode.Answer<Boolean> publish(Subscription... subscriptions) {
        return publish(whileClosing, subscriptions);
    }

    private static UserCode.Answer<Boolean> publish(UserCode userCode, Subscription... subscriptions) {
        Map<TimerKey, Tick> ticks = Tick.byKey("ticks", List.of(subscriptions));
        List<Envelope> batch = envelopes(ticks.values());
        TickPublisher publisher = new TickPublisher(ticks, new UnknownTicks());
        return userCode.run(() -> publisher.publish(batch));
    }

    private static List<Envelope> envelopes(Collection<Tick> ticks) {
        return ticks.stream()
                .map(tick -> new Envelope(
                        tick.subscription().name(),
                        tick.queue(),
                        1,
                        0,
                        Map.of(),
                        new DueTimeReached(
                                tick.key(),
                                tick.type(),
                                START,
                                START,
                                START.minus(MINUTE),
                                null,
                                Payload.of(tick.subscription()
                                        .recurrence()
                                        .toString()
                                        .getBytes(StandardCharsets.UTF_8)))))
                .toList();
    }

    private static void assertPostponed(UserCode.Answer<Boolean> answer, String... names) {
        assertThat(answer.isInterrupted()).isFalse();
        assertThat(answer.error())
                .asInstanceOf(type(PartialPublishException.class))
                .satisfies(partial -> assertThat(partial.failures())
                        .containsOnlyKeys(names)
                        .allSatisfy((id, why) -> assertThat(why).isInstanceOf(PostponedException.class)));
    }

    @Test
    void closeRepeatsTheInterruptedTickAndThoseAfterIt() {
        Subscription interrupted = subscription("b", new Action.Handled(event -> {
            closing = true;
            throw new InterruptedException("by close");
        }));

        assertPostponed(publish(handler("a"), interrupted, handler("c")), "b", "c");
        assertThat(handled).containsExactly("a");
    }

    /** As a framework does with what a method may not throw; the flag is clear then. */
    @Test
    void closeRepeatsATickWhoseHandlerWrapsTheInterrupt() {
        Subscription wrapping = subscription("b", new Action.Handled(event -> {
            closing = true;
            throw new IllegalStateException(new InterruptedException("by close"));
        }));

        assertPostponed(publish(handler("a"), wrapping, handler("c")), "b", "c");
        assertThat(handled).containsExactly("a");
    }

    @Test
    void aTickWhoseHandlerEndsInSpiteOfTheInterruptIsNotRepeated() {
        Subscription stubborn = subscription("b", new Action.Handled(event -> {
            closing = true;
            Thread.currentThread().interrupt();
            handled.add("b");
        }));

        assertPostponed(publish(handler("a"), stubborn, handler("c")), "c");
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void onceCloseHasBegunNoOtherHandlerIsCalled() {
        Subscription swallows = subscription("b", new Action.Handled(event -> {
            closing = true;
            handled.add("b");
        }));

        assertPostponed(publish(handler("a"), swallows, handler("c")), "c");
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void aTickThatIsPostponedIsNoFailure() {
        Subscription postpones = subscription("b", new Action.Handled(event -> {
            throw new PostponedException(MINUTE);
        }));
        Publisher unavailable = batch -> {
            throw new PostponedException(MINUTE);
        };

        assertPostponed(publish(handler("a"), postpones, publisher("c", unavailable)), "b", "c");
        assertThat(handled).containsExactly("a");
    }

    /** Holidays may ask a database, and turn an interrupt into an exception of their own. */
    @Test
    void holidaysThatCloseInterruptsCostNoAttempt() {
        WorkingDays days = CalendarRules.UTC.workingDays(date -> {
            closing = true;
            Thread.currentThread().interrupt();
            throw new IllegalStateException("no calendar");
        });
        CalendarRecurrence day = Recurrence.each(CalendarUnit.DAY);
        Subscription interrupted =
                Subscription.of("b", day, days, new Action.Published(batch -> handled.add("working")));

        assertPostponed(publish(interrupted, publisher("c", batch -> handled.add("c"))), "b", "c");
        assertThat(handled).isEmpty();
    }

    @Test
    void anInterruptByHolidaysReachesNoOther() {
        WorkingDays days = CalendarRules.UTC.workingDays(date -> {
            handled.add(Thread.currentThread().isInterrupted() ? "interrupted" : "asked");
            Thread.currentThread().interrupt();
            return false;
        });
        CalendarRecurrence day = Recurrence.each(CalendarUnit.DAY).catchUp(CatchUp.ALL);
        Publisher idle = batch -> {};

        UserCode.Answer<Boolean> answer = publish(
                new UserCode(() -> false),
                Subscription.of("a", day, days, new Action.Published(idle)),
                Subscription.of("b", day, days, new Action.Published(idle)));

        assertThat(answer.error()).isNull();
        assertThat(handled).containsExactly("asked", "asked");
    }

    @Test
    void anInterruptedPublisherRepeatsNoTickOfAnother() {
        Publisher interrupted = batch -> {
            closing = true;
            throw new InterruptedException("by close");
        };
        Publisher idle = batch -> handled.add("idle");

        assertPostponed(
                publish(
                        handler("a"),
                        publisher("first", batch -> handled.add("first")),
                        publisher("second", interrupted),
                        publisher("third", idle)),
                "second",
                "third");
        assertThat(handled).containsExactly("a", "first");
    }
}
