package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Contestant;
import dev.duetime.lab.benchmark.contestant.Deliveries;
import dev.duetime.lab.benchmark.contestant.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A thread that schedules timers, as fast as they are delivered or at a rate. At a rate, timers are due half a second
 * after they are scheduled, so their lateness is not that of the call that schedules them.
 */
final class Load implements AutoCloseable {
    /** The rate at which timers are scheduled as fast as they are delivered. */
    static final double FLAT_OUT = Double.POSITIVE_INFINITY;

    private static final int CALL = 1_000;
    private static final int AHEAD = 10 * CALL;
    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration BEFORE_DUE = Duration.ofMillis(500);
    private static final double NANOS = 1e9;

    private final Contestant contestant;
    private final Deliveries deliveries;
    private final Thread thread = new Thread(this::run, "load");
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private volatile double perSecond;
    private final AtomicLong scheduled = new AtomicLong();
    private volatile boolean closed;

    Load(Contestant contestant, Deliveries deliveries, double perSecond) {
        this.contestant = contestant;
        this.deliveries = deliveries;
        this.perSecond = perSecond;
    }

    void start() {
        thread.start();
    }

    /** Changes the rate. */
    void rate(double timersPerSecond) {
        perSecond = timersPerSecond;
    }

    /** Returns how many timers were scheduled so far. */
    long scheduled() {
        return scheduled.get();
    }

    /** Returns how many timers are scheduled and not delivered. */
    long outstanding() {
        return scheduled.get() - deliveries.count();
    }

    private void run() {
        try {
            long last = System.nanoTime();
            double open = 0;
            while (!closed) {
                long now = System.nanoTime();
                double rate = perSecond;
                if (rate == FLAT_OUT) {
                    flatOut();
                    open = 0;
                } else {
                    open += rate * (now - last) / NANOS;
                    int count = (int) open;
                    open -= count;
                    schedule(count, Instant.now().plus(BEFORE_DUE), TICK);
                    long left = TICK.toNanos() - (System.nanoTime() - now);
                    Thread.sleep(Math.max(0, left / 1_000_000));
                }
                last = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            failure.set(e);
        }
    }

    private void flatOut() throws Exception {
        if (outstanding() >= AHEAD) {
            Thread.sleep(1);
        } else {
            schedule(CALL, Instant.now(), Duration.ZERO);
        }
    }

    private void schedule(int count, Instant from, Duration during) throws Exception {
        List<Entry> timers = Entry.list(count, from, during);
        for (int i = 0; i < count && !closed; i += CALL) {
            List<Entry> call = timers.subList(i, Math.min(i + CALL, count));
            contestant.schedule(call);
            scheduled.addAndGet(call.size());
        }
    }

    /** Throws what made the load end, if something did. */
    void check() throws Exception {
        Exception failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
