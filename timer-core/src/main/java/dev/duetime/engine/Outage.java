package dev.duetime.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backs off while something is away, and says so once: one warning when it goes, one line when it is back. Used by one
 * thread.
 */
final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);
    private static final Duration FIRST = Duration.ofMillis(50);
    /** Short: one call a second does no harm, and what is due waits no longer than this once the other side is back. */
    private static final Duration CAP = Duration.ofSeconds(1);

    private final String what;
    private final RandomGenerator random;

    private int failures;
    private Instant since = Instant.MIN;

    Outage(String what, RandomGenerator random) {
        this.what = what;
        this.random = random;
    }

    /** Notes a failure and returns when to try again. */
    Instant failed(Throwable cause, Instant now) {
        if (failures == 0) {
            since = now;
            LOG.warn("{} is unavailable, nothing is lost, trying on: {}", what, cause.toString());
            LOG.debug("{} failed", what, cause);
        }
        failures++;
        long nanos = Math.min(FIRST.toNanos() << Math.min(failures - 1, 20), CAP.toNanos());
        return now.plusNanos((long) (nanos * (0.75 + 0.25 * random.nextDouble())));
    }

    /** Notes a success. */
    void over(Instant now) {
        if (failures > 0) {
            LOG.info("{} is back after {} and {} failures", what, Duration.between(since, now), failures);
            failures = 0;
        }
    }

    /** Returns how often it failed in a row. */
    int failures() {
        return failures;
    }
}
