package dev.duetime.lab.chaos.node;

import dev.duetime.Envelope;
import dev.duetime.Publisher;
import dev.duetime.lab.chaos.log.Entry.Delivered;
import dev.duetime.lab.chaos.log.Log;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A publisher that writes envelopes to the node's log, and takes as long as a broker does to acknowledge them. */
final class LoggingPublisher implements Publisher {
    private static final Duration ACKNOWLEDGEMENT = Duration.ofMillis(5);

    private final Log log;
    private final String node;
    private final AtomicLong batches = new AtomicLong();

    LoggingPublisher(Log log, String node) {
        this.log = log;
        this.node = node;
    }

    @Override
    public void publish(List<Envelope> batch) {
        long now = Log.now();
        long number = batches.incrementAndGet();
        log.append(batch.stream().map(each -> delivered(now, number, each)).toList());
        LockSupport.parkNanos(ACKNOWLEDGEMENT.toNanos());
    }

    private Delivered delivered(long now, long number, Envelope envelope) {
        int op = Integer.parseInt(Objects.requireNonNull(envelope.correlationId()));
        long due = ChronoUnit.MICROS.between(Instant.EPOCH, envelope.event().dueAt());
        return new Delivered(now, node, number, envelope.key().timerId(), op, envelope.id(), due);
    }
}
