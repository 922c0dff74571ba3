package dev.duetime.lab.benchmark.contestant;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The receiver of deliveries. It counts them, notes how late they are if the scenario asks for it, and can take some
 * time for each. Thread-safe.
 */
public final class Deliveries {
    private static final long POLL_MILLIS = 1;

    private final Duration perBatch;
    private final Duration perTimer;
    private final long[] lateMicros;
    private final Expired expired;
    private final @Nullable LatenessHistogram histogram;
    private final AtomicInteger noted = new AtomicInteger();
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong settled = new AtomicLong();
    private final AtomicLong firstNanos = new AtomicLong();

    /** How deliveries learn of expired timers. */
    private enum Expired {
        IGNORED,
        COUNTED,
        EACH
    }

    private Deliveries(
            Duration perBatch, Duration perTimer, int notes, Expired expired, @Nullable LatenessHistogram histogram) {
        this.perBatch = perBatch;
        this.perTimer = perTimer;
        this.lateMicros = new long[notes];
        this.expired = expired;
        this.histogram = histogram;
    }

    /** Only counts. */
    public static Deliveries counted() {
        return timed(0);
    }

    /** Counts deliveries and expired timers, each or by numbers, and takes some time for each call. */
    public static Deliveries ofExpired(Duration perBatch, boolean each) {
        return new Deliveries(perBatch, Duration.ZERO, 0, each ? Expired.EACH : Expired.COUNTED, null);
    }

    /** Notes the lateness of this many timers. */
    public static Deliveries timed(int timers) {
        return new Deliveries(Duration.ZERO, Duration.ZERO, timers, Expired.IGNORED, null);
    }

    /** Counts in a histogram how late timers are. */
    public static Deliveries timed(LatenessHistogram histogram) {
        return new Deliveries(Duration.ZERO, Duration.ZERO, 0, Expired.IGNORED, histogram);
    }

    /** Takes some time for each call, and for each timer in it. */
    public static Deliveries slow(Duration perBatch, Duration perTimer) {
        return new Deliveries(perBatch, perTimer, 0, Expired.IGNORED, null);
    }

    /** Receives a batch; {@code dueAt} returns when each of its timers was due. */
    void take(int size, IntFunction<Instant> dueAt) throws InterruptedException {
        noteFirst();
        if (lateMicros.length > 0 || histogram != null) {
            note(size, dueAt);
        }
        if (!perBatch.isZero()) {
            Thread.sleep(perBatch.toMillis());
        }
        if (perTimer.isZero()) {
            delivered.addAndGet(size);
            return;
        }
        for (int i = 0; i < size; i++) {
            Thread.sleep(perTimer.toMillis());
            delivered.incrementAndGet();
        }
    }

    private void noteFirst() {
        if (firstNanos.get() == 0) {
            firstNanos.compareAndSet(0, System.nanoTime());
        }
    }

    private void note(int size, IntFunction<Instant> dueAt) {
        Instant now = Instant.now();
        if (histogram != null) {
            for (int i = 0; i < size; i++) {
                histogram.add(ChronoUnit.MICROS.between(dueAt.apply(i), now));
            }
            return;
        }
        int from = noted.getAndAdd(size);
        for (int i = 0; i < size && from + i < lateMicros.length; i++) {
            lateMicros[from + i] = ChronoUnit.MICROS.between(dueAt.apply(i), now);
        }
    }

    /** Returns whether it wants to know about expired timers. */
    boolean countsExpired() {
        return expired != Expired.IGNORED;
    }

    /** Returns whether it wants to know about each expired timer. */
    boolean wantsEachExpired() {
        return expired == Expired.EACH;
    }

    /** Counts timers that expired instead of being delivered. */
    void expired(int count) {
        noteFirst();
        delivered.addAndGet(count);
    }

    /** Returns the number of deliveries so far, repeats included. */
    public long count() {
        return delivered.get();
    }

    /** Notes that an outcome is written, if the library reports it. */
    void settled() {
        settled.incrementAndGet();
    }

    /** Returns how many outcomes were reported as written. */
    long settledCount() {
        return settled.get();
    }

    /** Returns when the first delivery came, by {@link System#nanoTime}. */
    public long firstNanos() {
        return firstNanos.get();
    }

    /** Waits until this many were delivered. Returns whether that was before the limit. */
    public boolean await(long count, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (delivered.get() < count) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    /** Returns the lateness of each delivery in milliseconds, in ascending order. */
    public double[] lateMillis() {
        long[] sorted = Arrays.copyOf(lateMicros, Math.min(noted.get(), lateMicros.length));
        Arrays.sort(sorted);
        return Arrays.stream(sorted).mapToDouble(micros -> micros / 1_000.0).toArray();
    }
}
