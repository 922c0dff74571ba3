package dev.duetime.engine.report;

import dev.duetime.admin.OngoingOutage;
import dev.duetime.internal.UserCode;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An outage as one loop sees it: the failures in a row, and when to retry. Used by one thread, except {@link #ongoing}.
 */
public final class Outage {
    private static final Duration FIRST = Duration.ofMillis(50);
    /**
     * The longest delay. It is short: one call a second does no harm, and due timers wait no longer than this once the
     * other side is back.
     */
    private static final Duration CAP = Duration.ofSeconds(1);

    private final Availability availability;
    private final RandomGenerator random;
    private final Runnable afterListeners;

    private int failures;
    private long allFailures;
    private Instant since = Instant.MIN;
    private volatile @Nullable OngoingOutage ongoing;

    /** Creates the outage of a loop. An interrupt flag that a listener leaves behind is cleared. */
    public Outage(Availability availability, RandomGenerator random) {
        this(availability, random, UserCode::clearInterrupt);
    }

    private Outage(Availability availability, RandomGenerator random, Runnable afterListeners) {
        this.availability = availability;
        this.random = random;
        this.afterListeners = afterListeners;
    }

    /** Returns the outage of what any thread may notice. The interrupt flag of a caller's thread stays. */
    public static Outage onAnyThread(Availability availability, RandomGenerator random) {
        return new Outage(availability, random, UserCode::clearInterruptOfEngine);
    }

    /** Notes a failure and returns when to try again. */
    public Instant failed(Throwable cause, Instant now) {
        availability.failed(this, cause, now);
        afterListeners.run();
        since = failures == 0 ? now : since;
        failures++;
        allFailures++;
        ongoing = new OngoingOutage(since, ErrorText.of(cause));
        long nanos = Math.min(FIRST.toNanos() << Math.min(failures - 1, 20), CAP.toNanos());
        return now.plusNanos((long) (nanos * (0.75 + 0.25 * random.nextDouble())));
    }

    /** Notes a success. */
    public void over(Instant now) {
        if (failures > 0) {
            failures = 0;
            ongoing = null;
            availability.over(this, now);
            afterListeners.run();
        }
    }

    /** Returns the failures in a row; none if the last call succeeded. */
    @Nullable
    public OngoingOutage ongoing() {
        return ongoing;
    }

    /** Returns how often it failed in a row. */
    public int failures() {
        return failures;
    }

    /** Returns how often it failed since it was created. */
    public long allFailures() {
        return allFailures;
    }

    /** Returns whether other loops have noticed the same outage. */
    public boolean isShared() {
        return availability.isSharedBy(this);
    }
}
