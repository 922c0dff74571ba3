package dev.duetime.testkit;

import dev.duetime.Envelope;
import dev.duetime.ScheduleResult;

/**
 * The entry points of AssertJ assertions on timers: {@code import static
 * dev.duetime.testkit.DuetimeAssertions.assertThat}, beside AssertJ's own {@code assertThat}. Messages show keys, times
 * and ids, and only those payloads that a test compares. Thread-safe; the assertions are not.
 */
public final class DuetimeAssertions {
    private DuetimeAssertions() {}

    /** Returns assertions on the deliveries of a kit. */
    public static DeliveriesAssert assertThat(TimerKit kit) {
        return new DeliveriesAssert(kit.publisher());
    }

    /** Returns assertions on the envelopes that a publisher has accepted. */
    public static DeliveriesAssert assertThat(InMemoryPublisher publisher) {
        return new DeliveriesAssert(publisher);
    }

    /** Returns assertions on an envelope. */
    public static EnvelopeAssert assertThat(Envelope envelope) {
        return new EnvelopeAssert(envelope);
    }

    /** Returns assertions on the result of {@code schedule}. */
    public static ScheduleResultAssert assertThat(ScheduleResult result) {
        return new ScheduleResultAssert(result);
    }
}
