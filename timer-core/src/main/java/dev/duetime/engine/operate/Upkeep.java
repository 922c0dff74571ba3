package dev.duetime.engine.operate;

import java.time.Instant;

/** What a pattern does in each round of housekeeping. */
@FunctionalInterface
public interface Upkeep {

    /**
     * Brings what the pattern keeps in the store into order.
     *
     * @return until when another run finds nothing to do unless something is written to the store; {@link Instant#MIN}
     *     if that is unknown
     */
    Instant run();
}
