package dev.duetime.lab.benchmark.contestant;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The number of deliveries by how late they were. A bucket is at most 1.6 % wide, so a long run needs little memory.
 * Thread-safe.
 */
public final class LatenessHistogram {
    private static final int SUB_BITS = 6;
    private static final int SUBS = 1 << SUB_BITS;
    private static final double MICROS_IN_MILLI = 1_000;

    private final AtomicLongArray counts = new AtomicLongArray((Long.SIZE - SUB_BITS) * SUBS);

    void add(long micros) {
        counts.incrementAndGet(bucket(Math.max(0, micros)));
    }

    private static int bucket(long micros) {
        if (micros < SUBS) {
            return (int) micros;
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros) - SUB_BITS;
        return (exponent << SUB_BITS) + (int) (micros >>> exponent);
    }

    private static long most(int bucket) {
        int exponent = Math.max(0, (bucket >> SUB_BITS) - 1);
        return ((bucket - ((long) exponent << SUB_BITS) + 1) << exponent) - 1;
    }

    /** Returns the counts of this moment. */
    public Snapshot snapshot() {
        long[] copy = new long[counts.length()];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = counts.get(i);
        }
        return new Snapshot(copy);
    }

    /** The counts of one moment. */
    public static final class Snapshot {
        private final long[] counts;

        private Snapshot(long[] counts) {
            this.counts = counts;
        }

        /** Returns what was counted after an earlier moment. */
        public Snapshot since(Snapshot before) {
            long[] difference = new long[counts.length];
            for (int i = 0; i < difference.length; i++) {
                difference[i] = counts[i] - before.counts[i];
            }
            return new Snapshot(difference);
        }

        /** Returns the upper edge of the bucket of a quantile, in milliseconds; 0 if nothing was counted. */
        public double millis(double quantile) {
            long total = 0;
            for (long each : counts) {
                total += each;
            }
            long wanted = (long) Math.ceil(total * quantile);
            long seen = 0;
            for (int i = 0; i < counts.length; i++) {
                seen += counts[i];
                if (total > 0 && seen >= wanted) {
                    return most(i) / MICROS_IN_MILLI;
                }
            }
            return 0;
        }
    }
}
