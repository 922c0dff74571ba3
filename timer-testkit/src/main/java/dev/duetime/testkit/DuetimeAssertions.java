package dev.duetime.testkit;

import dev.duetime.Envelope;
import dev.duetime.ScheduleResult;

/**
 * Is where AssertJ's assertions on timers begin: {@code import static dev.duetime.testkit.DuetimeAssertions.assertThat}.
 * Stands beside AssertJ's own {@code assertThat}. Messages show keys, times and ids, and of payloads only what a test
 * compares. Thread-safe; what it returns is not.
 */
public final class DuetimeAssertions {
    private DuetimeAssertions() {}

    /** Begins assertions on what a kit has delivered. */
    public static DeliveriesAssert assertThat(TimerKit kit) {
        return new DeliveriesAssert(kit.publisher());
    }

    /** Begins assertions on what a publisher has accepted. */
    public static DeliveriesAssert assertThat(InMemoryPublisher publisher) {
        return new DeliveriesAssert(publisher);
    }

    /** Begins assertions on an envelope. */
    public static EnvelopeAssert assertThat(Envelope envelope) {
        return new EnvelopeAssert(envelope);
    }

    /** Begins assertions on what {@code schedule} did. */
    public static ScheduleResultAssert assertThat(ScheduleResult result) {
        return new ScheduleResultAssert(result);
    }
}
