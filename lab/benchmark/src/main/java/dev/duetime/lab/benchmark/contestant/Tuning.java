package dev.duetime.lab.benchmark.contestant;

/**
 * One of the settings that are tried for a contestant before it is measured. The fastest one is used.
 *
 * @param threads how many threads work
 * @param batch how many timers are read at once
 */
public record Tuning(int threads, int batch) {
    /** Returns the settings of one of several nodes that have as many threads together. */
    public Tuning share(int nodes) {
        return new Tuning(Math.max(1, threads / nodes), Math.max(1, batch / nodes));
    }

    @Override
    public String toString() {
        return threads + " threads, batches of " + batch;
    }
}
