package dev.duetime.engine.settle;

import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * The source of generations: tokens that no schedule ever had before, on any node and even after its row was deleted.
 * They are 62 bits of SplitMix64 from a random start. A counter in the row would start again with the row (the ABA
 * problem). Thread-safe.
 */
public final class Generations {
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;
    private static final long BITS_62 = 0x3FFF_FFFF_FFFF_FFFFL;

    private final AtomicLong state;

    public Generations(RandomGenerator random) {
        state = new AtomicLong(random.nextLong());
    }

    public long next() {
        long z = state.addAndGet(GOLDEN);
        z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return (z ^ (z >>> 31)) & BITS_62;
    }
}
