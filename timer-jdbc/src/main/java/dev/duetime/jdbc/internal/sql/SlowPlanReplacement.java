package dev.duetime.jdbc.internal.sql;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A remedy for slow plans. If a statement was slow, the database plans it again, at most once a minute. PostgreSQL
 * keeps the generic plan of a statement until it has new statistics, and a plan that was made while the table was empty
 * reads the whole table. A statement with another text gets a new plan. Thread-safe.
 */
public final class SlowPlanReplacement {
    private static final long SLOW_NANOS = Duration.ofMillis(20).toNanos();
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanos;

    // Mutable state, replaced as a whole. If two threads replace it at once, either one may win.
    private volatile Plan current;

    private record Plan(int number, long notBeforeNanos) {}

    /**
     * Creates the remedy.
     *
     * @param nanos the clock that measures statements, in nanoseconds
     */
    public SlowPlanReplacement(LongSupplier nanos) {
        this.nanos = nanos;
        current = new Plan(0, nanos.getAsLong());
    }

    /** Runs a statement with the text to use now. */
    public <T> T run(String text, Function<String, T> statement) {
        Plan plan = current;
        long began = nanos.getAsLong();
        T result = statement.apply(plan.number == 0 ? text : text + " /* plan " + plan.number + " */");
        long ended = nanos.getAsLong();
        if (ended - began > SLOW_NANOS && ended - plan.notBeforeNanos >= 0) {
            current = new Plan(plan.number + 1, ended + MINUTE_NANOS);
        }
        return result;
    }
}
