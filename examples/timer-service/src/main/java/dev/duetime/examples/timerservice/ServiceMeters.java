package dev.duetime.examples.timerservice;

import dev.duetime.Envelope;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.listener.DeadTimer;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.PolledBatch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Locale;

/**
 * The meters of this service, in addition to those of the library. Thread-safe.
 *
 * <ul>
 *   <li>{@code timer.commands.received}, by outcome: as {@code schedule} says, or {@code malformed}, {@code expired},
 *       {@code failed} and {@code store_failed} (these two come again)
 *   <li>{@code timer.schedules.processed}, by outcome: {@code delivered}, {@code expired}, {@code dead}
 *   <li>{@code timer.polling.duration}: to read, publish and settle a batch
 *   <li>{@code timer.events.repeated}: those that the stream had already, and dropped
 * </ul>
 */
final class ServiceMeters implements NodeListener {
    private final MeterRegistry registry;
    private final Timer polling;
    private final Counter repeated;

    ServiceMeters(MeterRegistry registry) {
        this.registry = registry;
        polling = Timer.builder("timer.polling.duration")
                .description("to read, publish and settle a batch of due timers")
                .register(registry);
        repeated = Counter.builder("timer.events.repeated")
                .description("events that the stream had already, and dropped")
                .register(registry);
        // Each counter shows zero before its first event.
        for (ScheduleOutcome outcome : ScheduleOutcome.values()) {
            commands(tag(outcome));
        }
        List.of("malformed", "expired", "failed", "store_failed").forEach(this::commands);
        List.of("delivered", "expired", "dead").forEach(this::schedules);
    }

    void received(ScheduleOutcome outcome) {
        received(tag(outcome));
    }

    void received(String outcome) {
        commands(outcome).increment();
    }

    void published(boolean duplicate) {
        if (duplicate) {
            repeated.increment();
        }
    }

    @Override
    public void delivered(Envelope envelope) {
        schedules("delivered").increment();
    }

    @Override
    public void expired(StoredTimer timer, ExpiryReason reason) {
        schedules("expired").increment();
    }

    @Override
    public void dead(DeadTimer timer) {
        schedules("dead").increment();
    }

    @Override
    public void polled(PolledBatch batch) {
        polling.record(batch.took());
    }

    private Counter commands(String outcome) {
        return Counter.builder("timer.commands.received")
                .description("ScheduleTimer commands, by outcome")
                .tag("outcome", outcome)
                .register(registry);
    }

    private Counter schedules(String outcome) {
        return Counter.builder("timer.schedules.processed")
                .description("timers that ended, by outcome")
                .tag("outcome", outcome)
                .register(registry);
    }

    private static String tag(ScheduleOutcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }
}
