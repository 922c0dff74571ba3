package dev.duetime.testkit;

import dev.duetime.Envelope;
import dev.duetime.TimerKey;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractAssert;

/** Assertions on the envelopes that a publisher has accepted. Timer ids are of the default tenant. Not thread-safe. */
public final class DeliveriesAssert extends AbstractAssert<DeliveriesAssert, InMemoryPublisher> {

    DeliveriesAssert(InMemoryPublisher publisher) {
        super(publisher, DeliveriesAssert.class);
    }

    /** Verifies that the timer was delivered, once or more often. */
    public DeliveriesAssert hasDelivered(String timerId) {
        return hasDelivered(TimerKey.of(timerId));
    }

    /** Verifies that the timer was delivered, once or more often. */
    public DeliveriesAssert hasDelivered(TimerKey key) {
        isNotNull();
        if (actual.delivered(key).isEmpty()) {
            failWithMessage("Expected timer %s to be delivered but delivered was %s", key, shown());
        }
        return this;
    }

    /** Verifies that the timer was delivered exactly once. */
    public DeliveriesAssert hasDeliveredOnce(String timerId) {
        return hasDeliveredOnce(TimerKey.of(timerId));
    }

    /** Verifies that the timer was delivered exactly once. */
    public DeliveriesAssert hasDeliveredOnce(TimerKey key) {
        isNotNull();
        int times = actual.delivered(key).size();
        if (times != 1) {
            failWithMessage(
                    "Expected timer %s to be delivered once but it was %s times; delivered was %s",
                    key, times, shown());
        }
        return this;
    }

    /** Verifies that the timer was not delivered. */
    public DeliveriesAssert hasNotDelivered(String timerId) {
        return hasNotDelivered(TimerKey.of(timerId));
    }

    /** Verifies that the timer was not delivered. */
    public DeliveriesAssert hasNotDelivered(TimerKey key) {
        isNotNull();
        if (!actual.delivered(key).isEmpty()) {
            failWithMessage("Expected timer %s not to be delivered but delivered was %s", key, shown());
        }
        return this;
    }

    /** Verifies that nothing was delivered. */
    public DeliveriesAssert hasDeliveredNothing() {
        isNotNull();
        if (!actual.delivered().isEmpty()) {
            failWithMessage("Expected nothing to be delivered but delivered was %s", shown());
        }
        return this;
    }

    /** Verifies how many envelopes were delivered, repeats included. */
    public DeliveriesAssert hasDeliveredCount(int count) {
        isNotNull();
        int found = actual.delivered().size();
        if (found != count) {
            failWithMessage("Expected %s envelopes to be delivered but there were %s: %s", count, found, shown());
        }
        return this;
    }

    /** Verifies that exactly these timers were delivered, in this order. */
    public DeliveriesAssert hasDeliveredInOrder(String... timerIds) {
        return hasDeliveredInOrder(Stream.of(timerIds).map(TimerKey::of).toArray(TimerKey[]::new));
    }

    /** Verifies that exactly these timers were delivered, in this order. */
    public DeliveriesAssert hasDeliveredInOrder(TimerKey... keys) {
        isNotNull();
        List<TimerKey> found = actual.delivered().stream().map(Envelope::key).toList();
        if (!found.equals(List.of(keys))) {
            failWithMessage("Expected %s to be delivered in this order but delivered was %s", List.of(keys), shown());
        }
        return this;
    }

    /** Verifies that the timer was delivered, and returns assertions on its last envelope. */
    public EnvelopeAssert lastOf(String timerId) {
        return lastOf(TimerKey.of(timerId));
    }

    /** Verifies that the timer was delivered, and returns assertions on its last envelope. */
    public EnvelopeAssert lastOf(TimerKey key) {
        hasDelivered(key);
        List<Envelope> envelopes = actual.delivered(key);
        return new EnvelopeAssert(envelopes.get(envelopes.size() - 1));
    }

    private String shown() {
        List<Envelope> all = actual.delivered();
        return all.isEmpty()
                ? "nothing"
                : all.stream().map(EnvelopeAssert::shown).collect(Collectors.joining(", ", "[", "]"));
    }
}
