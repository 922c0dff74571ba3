package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.Micros;
import dev.duetime.SystemClock;
import dev.duetime.store.ShardLeases;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tells the store's time: samples it now and then and carries it by the monotonic clock in between, so that neither the
 * skew of a node nor a jump of its wall clock matters. Never ahead of the store by more than the drift between two samples.
 */
public final class StoreClock implements Clock {
    private static final Duration SAMPLE_EVERY = Duration.ofMinutes(1);

    private final SystemClock system;
    private final ShardLeases store;
    private final ReentrantLock sampling = new ReentrantLock();
    private volatile Sample sample;

    /** Samples the store for the first time. */
    public StoreClock(SystemClock system, ShardLeases store) {
        this.system = system;
        this.store = store;
        this.sample = read();
    }

    @Override
    public Instant now() {
        return Micros.floor(sample.at(system.nanoTime()));
    }

    @Override
    public long nanoTime() {
        return system.nanoTime();
    }

    @Override
    public Loop start(String name, Pass pass) {
        return system.start(name, pass, this);
    }

    /** Samples the store again if the last sample is a minute old. */
    void refresh() {
        if (system.nanoTime() - sample.nanos < SAMPLE_EVERY.toNanos() || !sampling.tryLock()) {
            return;
        }
        try {
            Sample latest = read();
            Instant carried = sample.at(latest.nanos);
            // Within the round trip the carried time is as good as the new one; outside, one of the clocks has moved.
            boolean agrees =
                    !carried.isBefore(latest.time) && !carried.isAfter(latest.time.plusNanos(latest.roundTrip));
            sample = agrees ? new Sample(carried, latest.nanos, latest.roundTrip) : latest;
        } finally {
            sampling.unlock();
        }
    }

    /** The store read its clock before the answer came, so counting from the answer never runs ahead of it. */
    private Sample read() {
        long before = system.nanoTime();
        Instant time = store.now();
        long after = system.nanoTime();
        return new Sample(time, after, after - before);
    }

    private record Sample(Instant time, long nanos, long roundTrip) {
        Instant at(long later) {
            return time.plusNanos(later - nanos);
        }
    }
}
