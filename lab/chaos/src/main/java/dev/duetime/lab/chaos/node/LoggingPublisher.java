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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A publisher that writes envelopes to the node's log, and takes as long as a broker does to acknowledge them. */
final class LoggingPublisher implements Publisher {
    /** In each of the ways to fail badly, one call in this number fails. */
    private static final int RUDENESS = 12;

    private static final Duration ACKNOWLEDGEMENT = Duration.ofMillis(5);

    private final Log log;
    private final String node;
    private final AtomicLong batches = new AtomicLong();

    /** The end of the time in which calls fail as no publisher should. */
    private volatile long rudeUntil;

    LoggingPublisher(Log log, String node) {
        this.log = log;
        this.node = node;
    }

    /** Makes some calls throw errors and interrupts, and leave the interrupt flag set. */
    void beRude(long until) {
        rudeUntil = until;
    }

    @Override
    public void publish(List<Envelope> batch) throws InterruptedException {
        long now = Log.now();
        boolean rude = now < rudeUntil;
        if (rude) {
            throwSomething();
        }
        long number = batches.incrementAndGet();
        log.append(batch.stream().map(each -> delivered(now, number, each)).toList());
        LockSupport.parkNanos(ACKNOWLEDGEMENT.toNanos());
        if (rude && ThreadLocalRandom.current().nextBoolean()) {
            Thread.currentThread().interrupt();
        }
    }

    /** The publisher throws before it accepts anything. */
    private static void throwSomething() throws InterruptedException {
        switch (ThreadLocalRandom.current().nextInt(RUDENESS)) {
            case 0 -> throw new InterruptedException("not meant for the engine");
            case 1 -> throw new AssertionError("a defect of the publisher");
            case 2 -> throw new StackOverflowError();
            case 3 -> throw new NoClassDefFoundError("a class that is missing");
            default -> {}
        }
    }

    private Delivered delivered(long now, long number, Envelope envelope) {
        int op = Integer.parseInt(Objects.requireNonNull(envelope.correlationId()));
        long due = ChronoUnit.MICROS.between(Instant.EPOCH, envelope.event().dueAt());
        return new Delivered(now, node, number, envelope.key().timerId(), op, envelope.id(), due);
    }
}
