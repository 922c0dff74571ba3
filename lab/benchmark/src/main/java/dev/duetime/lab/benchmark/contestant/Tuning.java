package dev.duetime.lab.benchmark.contestant;

/**
 * One of the settings that are tried for a contestant before it is measured. The fastest one is used.
 *
 * @param threads how many threads work
 * @param batch how many timers are read at once
 * @param refill how few of them wait when more are read
 */
public record Tuning(int threads, int batch, int refill) {
    /** Settings that read again as soon as fewer timers wait than there are threads. */
    Tuning(int threads, int batch) {
        this(threads, batch, threads);
    }

    /** Returns the settings of one of several nodes that have as many threads together. */
    public Tuning share(int nodes) {
        return new Tuning(Math.max(1, threads / nodes), Math.max(1, batch / nodes), Math.max(1, refill / nodes));
    }

    @Override
    public String toString() {
        return threads + " threads, batches of " + batch;
    }
}
