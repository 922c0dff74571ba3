package dev.duetime.lab.chaos.node;

import dev.duetime.RateLimit;
import java.io.IOException;

/** The program of a node that runs todos by key, within limits for all nodes together. */
public final class LimitedNodeMain {
    /** How many todos run at once on all nodes. */
    public static final int AT_ONCE = 6;

    public static final RateLimit RATE = RateLimit.perSecond(50).burst(10);

    /** How many threads of a node may have taken a permit and not yet begun. */
    public static final int WORKERS = 8;

    /** So that both limits are tight. */
    private static final int LONGEST_MICROS = 100_000;

    private LimitedNodeMain() {}

    /** Runs a node. */
    public static void main(String[] args) throws IOException {
        KeyedNodeMain.run(
                args,
                LONGEST_MICROS,
                queue -> queue.workers(WORKERS).concurrencyLimit(AT_ONCE).rateLimit(RATE));
    }
}
