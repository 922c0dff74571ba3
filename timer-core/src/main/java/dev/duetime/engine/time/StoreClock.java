package dev.duetime.engine.time;

import dev.duetime.Clock;
import dev.duetime.internal.Micros;
import dev.duetime.store.ShardLeases;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The time of the store. It is sampled now and then, and carried by the monotonic clock in between, so that neither the
 * skew of a node nor a jump of its wall clock matters. It is never ahead of the store by more than the drift between
 * two samples. Thread-safe.
 */
public final class StoreClock implements Clock {
    private static final Duration SAMPLE_EVERY = Duration.ofMinutes(1);

    private static final Duration JUST_SAMPLED = Duration.ofSeconds(1);

    /** An answer that took longer is too inexact: the store is asked again, up to this many times. */
    private static final Duration LONG_ANSWER = Duration.ofMillis(100);

    /** The possible error of a carrier after {@link #SAMPLE_EVERY}, in both directions. */
    private static final Duration DRIFT = Duration.ofMillis(1);

    private static final int MOST_TRIES = 3;

    private final Clock carrier;
    private final ShardLeases store;
    private final ReentrantLock sampling = new ReentrantLock();
    private volatile Sample sample;

    /**
     * Samples the store for the first time.
     *
     * @param carrier counts the time between samples, and runs the loops
     */
    public StoreClock(Clock carrier, ShardLeases store) {
        this.carrier = carrier;
        this.store = store;
        this.sample = read();
    }

    @Override
    public Instant now() {
        return Micros.floor(sample.at(carrier.nanoTime()));
    }

    @Override
    public long nanoTime() {
        return carrier.nanoTime();
    }

    @Override
    public Loop start(String name, Pass pass) {
        return carrier.start(name, pass, this);
    }

    @Override
    public Future<?> run(String name, Runnable work) {
        return carrier.run(name, work);
    }

    /** Samples the store again if the last sample is a minute old. */
    public void refresh() {
        if (carrier.nanoTime() - sample.nanos >= SAMPLE_EVERY.toNanos()) {
            sample(this::read);
        }
    }

    /**
     * Samples the store again unless it has just done so. Called once a minute: if that left out a sample because the
     * last one was some seconds old, the next one would come after almost two minutes.
     */
    public void sampleEachMinute() {
        if (carrier.nanoTime() - sample.nanos >= JUST_SAMPLED.toNanos()) {
            sample(this::read);
        }
    }

    /** Samples the store again, once, however old the last sample is. */
    public void resample() {
        sample(this::readOnce);
    }

    private void sample(Supplier<Sample> read) {
        // In virtual time, the loop that samples and the one that wants to may share a thread.
        if (sampling.isHeldByCurrentThread() || !sampling.tryLock()) {
            return;
        }
        try {
            Sample latest = read.get();
            Instant carried = sample.at(latest.nanos).minus(DRIFT);
            // Within a longer round trip the carried time is better than the new one; outside, one of the clocks has
            // moved. It is set back by what the carrier may have been fast, or it would creep ahead.
            long uncertain = sample.roundTrip + 2 * DRIFT.toNanos();
            boolean better = uncertain < latest.roundTrip
                    && !carried.isBefore(latest.time)
                    && !carried.isAfter(latest.time.plusNanos(latest.roundTrip));
            sample = better ? new Sample(carried, latest.nanos, uncertain) : latest;
        } finally {
            sampling.unlock();
        }
    }

    /** Returns by how many nanoseconds this clock may be behind the store's: as long as the store took to answer. */
    public long mostBehindNanos() {
        return sample.roundTrip;
    }

    /** Returns whether the last answer took so long that the next one is probably more exact. */
    public boolean isFarBehind() {
        return sample.roundTrip > LONG_ANSWER.toNanos();
    }

    private Sample read() {
        Sample best = readOnce();
        for (int tries = 1; tries < MOST_TRIES && best.roundTrip > LONG_ANSWER.toNanos(); tries++) {
            Sample again = readOnce();
            best = again.roundTrip < best.roundTrip ? again : best;
        }
        return best;
    }

    /** The store read its clock before the answer came, so counting from the answer never runs ahead of it. */
    private Sample readOnce() {
        long before = carrier.nanoTime();
        Instant time = store.now();
        long after = carrier.nanoTime();
        return new Sample(time, after, after - before);
    }

    private record Sample(Instant time, long nanos, long roundTrip) {
        Instant at(long later) {
            return time.plusNanos(later - nanos);
        }
    }
}
