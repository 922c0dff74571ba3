package dev.duetime.examples.takeorder;

import java.io.IOException;
import java.util.Random;

/** A source of failures in steps. Thread-safe. */
@FunctionalInterface
interface Faults {
    /** A moment in a step. */
    enum Moment {
        /** Before it has done anything; all steps before are durable. */
        BEGIN,
        /** When it has done everything, and nothing of that is committed. */
        END
    }

    /** Called in each run of a step. The step throws what this throws. */
    void strike(String orderId, String step, int attempt, Moment moment) throws IOException;

    static Faults none() {
        return (orderId, step, attempt, moment) -> {};
    }

    /** Makes some runs fail at their end, which ones a seed decides: the same each time. */
    static Faults of(long seed, int percent) {
        return (orderId, step, attempt, moment) -> {
            int dice = new Random((orderId + step + attempt).hashCode() + seed).nextInt(100);
            if (moment == Moment.END && dice < percent) {
                throw new IOException("%s of %s failed, attempt %d".formatted(step, orderId, attempt));
            }
        };
    }
}
