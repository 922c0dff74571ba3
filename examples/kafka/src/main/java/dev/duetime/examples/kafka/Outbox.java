package dev.duetime.examples.kafka;

import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcTransaction;
import java.sql.Connection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A transactional outbox. An event is a timer that is due now. It is written in the caller's transaction, and goes to
 * the broker after the commit, in order by key, at least once. Thread-safe.
 */
final class Outbox {
    private final Scheduler scheduler;
    /** The due time of the event that was added last. */
    private final AtomicReference<Instant> last = new AtomicReference<>(Instant.MIN);

    Outbox(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Adds an event to the caller's transaction, which must have locked what the key stands for: then the order of the
     * events of a key is that of the transactions.
     *
     * @param key what the event is about, such as an order; events of one key keep their order
     * @param type the name of the event
     */
    void add(Connection connection, String key, String type, Object event) {
        scheduler
                .in(JdbcTransaction.of(connection))
                .schedule(Timer.at(TimerKey.of("outbox", UUID.randomUUID().toString()), later(scheduler.now()))
                        .type(type)
                        .parallelKey(key)
                        .payload(event)
                        .build());
    }

    /** Returns the time, or a microsecond after the last event if the clock has not moved on since. */
    Instant later(Instant now) {
        return last.updateAndGet(before -> now.isAfter(before) ? now : before.plus(1, ChronoUnit.MICROS));
    }
}
