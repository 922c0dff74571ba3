package dev.duetime.examples.takeorder;

import java.io.IOException;
import java.util.Random;

/** A source of failures in steps. Thread-safe. */
@FunctionalInterface
interface Faults {
    /** A moment in a step. */
    enum Moment {
        /** Before the step has done anything. All earlier steps are durable. */
        BEGIN,
        /** After the step has done everything, and before that is committed. */
        END
    }

    /** Called in each run of a step. An exception of this method is thrown by the step. */
    void strike(String orderId, String step, int attempt, Moment moment) throws IOException;

    static Faults none() {
        return (orderId, step, attempt, moment) -> {};
    }

    /** Makes some runs fail at their end. A seed decides which ones, so the same runs fail each time. */
    static Faults of(long seed, int percent) {
        return (orderId, step, attempt, moment) -> {
            int dice = new Random((orderId + step + attempt).hashCode() + seed).nextInt(100);
            if (moment == Moment.END && dice < percent) {
                throw new IOException("%s of %s failed, attempt %d".formatted(step, orderId, attempt));
            }
        };
    }
}
