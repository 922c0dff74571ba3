package dev.duetime.examples.unittesting;

import dev.duetime.Envelope;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerExpiredException;
import dev.duetime.TimerKey;
import dev.duetime.Timers;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.listener.TimerListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A service that reminds of appointments, if the reminder is still useful. It compensates for a late reminder with an
 * apology. The apology is a timer, too: it is durable and retried, and there is only one even if the listener is called
 * twice. Thread-safe.
 */
public final class Reminders implements TimerListener {
    static final String REMINDER = "appointment-reminder";
    static final String APOLOGY = "apology";

    private final Map<String, String> sent = new ConcurrentHashMap<>();
    private volatile Optional<Timers> scheduler = Optional.empty();

    /** Sets the scheduler that this listens to, which has to be built first. */
    public void use(Timers timers) {
        scheduler = Optional.of(timers);
    }

    private Timers timers() {
        return scheduler.orElseThrow(
                () -> new IllegalStateException("use must be called before anything is scheduled"));
    }

    /** Schedules a reminder of an appointment, and apologises at once if it is too late for that. */
    public void remind(String appointment, Instant at) {
        try {
            timers().schedule(Timer.at(TimerKey.of("remind-" + appointment), at)
                    .type(REMINDER)
                    .payload(appointment)
                    .build());
        } catch (TimerExpiredException e) {
            apologise(appointment);
        }
    }

    /** Compensates a reminder that could not be delivered in time. */
    @Override
    public void expired(StoredTimer timer, ExpiryReason reason) {
        if (timer.content().type().equals(REMINDER)) {
            apologise(timer.content().payload().as(String.class));
        }
    }

    private void apologise(String appointment) {
        timers().schedule(Timer.after(TimerKey.of("apologise-" + appointment), Duration.ZERO)
                .type(APOLOGY)
                .payload(appointment)
                .build());
    }

    /** Handles the event that a timer's time has come. May be called twice for one. */
    public void on(Envelope envelope) {
        sent.put(envelope.payload(String.class), envelope.type());
    }

    /** Returns the last message about an appointment. */
    public Optional<String> sent(String appointment) {
        return Optional.ofNullable(sent.get(appointment));
    }
}
