package dev.duetime.jdbc.internal.sql;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A remedy for slow plans. If a statement was slow, the database plans it again, at most once a minute. A statement
 * that is run seldom may also be planned again after each rest, before it is slow. PostgreSQL keeps the generic plan of
 * a statement until it has new statistics, and a plan that was made while the table was empty reads the whole table. A
 * statement with another text gets a new plan. Thread-safe.
 */
public final class SlowPlanReplacement {
    /** The rest of statements that an idle node runs. Each probes the table once for each shard, or reads all of it. */
    public static final Duration REST = Duration.ofSeconds(1);

    private static final long SLOW_NANOS = Duration.ofMillis(20).toNanos();
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanos;
    private final long restNanos;

    // Mutable state. The plan is replaced as a whole. If two threads replace it at once, either one may win.
    private volatile Plan current;
    private volatile long endedNanos;

    private record Plan(int number, long notBeforeNanos) {}

    /**
     * Creates the remedy.
     *
     * @param nanos the clock that measures statements, in nanoseconds
     */
    public SlowPlanReplacement(LongSupplier nanos) {
        this(nanos, Duration.ofNanos(Long.MAX_VALUE));
    }

    /**
     * Creates the remedy for a statement that is planned again after each rest. Meanwhile the table may have grown from
     * nothing to millions of rows.
     *
     * @param nanos the clock that measures statements, in nanoseconds
     * @param rest how long the statement has not run before it is planned again
     */
    public SlowPlanReplacement(LongSupplier nanos, Duration rest) {
        this.nanos = nanos;
        restNanos = rest.toNanos();
        current = new Plan(0, nanos.getAsLong());
        endedNanos = nanos.getAsLong();
    }

    /** Runs a statement with the text to use now. */
    public <T> T run(String text, Function<String, T> statement) {
        long began = nanos.getAsLong();
        Plan plan = current;
        if (began - endedNanos >= restNanos) {
            plan = new Plan(plan.number + 1, plan.notBeforeNanos);
            current = plan;
        }
        T result = statement.apply(plan.number == 0 ? text : text + " /* plan " + plan.number + " */");
        long ended = nanos.getAsLong();
        endedNanos = ended;
        if (ended - began > SLOW_NANOS && ended - plan.notBeforeNanos >= 0) {
            current = new Plan(plan.number + 1, ended + MINUTE_NANOS);
        }
        return result;
    }
}
