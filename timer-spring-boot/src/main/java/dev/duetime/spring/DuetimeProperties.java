package dev.duetime.spring;

import dev.duetime.admin.Health;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The application's properties below {@code duetime}. For a property that is null, the default of {@link
 * dev.duetime.SchedulerBuilder} applies. A duration needs its unit, such as 7d: a bare number is refused. Immutable and
 * thread-safe.
 *
 * @param enabled Whether there is a scheduler.
 * @param whenDisabled What injected Timers do without a scheduler, fail or ignore; fail by default.
 * @param migrate Whether Flyway brings the tables of timers up to date when the application starts.
 * @param autoStartup Whether this node delivers. If not, it only schedules and leaves delivery to others.
 * @param pollInterval Longest time between two polls for timers that other nodes scheduled, 1ms to 1h; 5s by default.
 * @param batchSize Largest number of timers that a publisher gets at once, 1 to 10000; 500 by default.
 * @param shards Number of shards (slices) of a new queue, 1 to 500; by default 64 on a database server and 4 on an
 *     embedded one. Fixed once the queue exists.
 * @param retention How long ended timers are kept, 0 to 36500d; 7d by default.
 * @param validFor How long after its due time a timer is worth delivering, from 1ms; for ever by default.
 * @param leaseDuration How long a crashed node keeps its shards, 100ms to 1h; 10s by default.
 * @param closeTimeout How long deliveries may take to finish when the application stops, 0 to 1h; 10s by default.
 *     Should be less than spring.lifecycle.timeout-per-shutdown-phase.
 * @param maxPayloadBytes Largest encoded payload, 1 to 1048576; 1048576 by default.
 * @param nodeId Name of this node, up to 200 characters; process and host by default.
 * @param healthTolerance How long an outage may last before health is down, from 0; 1m by default.
 */
@ConfigurationProperties(prefix = "duetime", ignoreUnknownFields = false)
public record DuetimeProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("fail") WhenDisabled whenDisabled,
        @DefaultValue("true") boolean migrate,
        @DefaultValue("true") boolean autoStartup,
        @Nullable Duration pollInterval,
        @Nullable Integer batchSize,
        @Nullable Integer shards,
        @Nullable Duration retention,
        @Nullable Duration validFor,
        @Nullable Duration leaseDuration,
        @Nullable Duration closeTimeout,
        @Nullable Integer maxPayloadBytes,
        @Nullable String nodeId,
        @Nullable Duration healthTolerance) {

    /** The behaviour of {@link dev.duetime.Timers} without a scheduler. */
    public enum WhenDisabled {
        /** Each call throws an {@link IllegalStateException}. */
        FAIL,
        /** Nothing is stored, cancelled or found. */
        IGNORE
    }

    /** Returns whether a node with this health is healthy. */
    boolean allows(Health health) {
        return healthTolerance == null ? health.isHealthy() : health.isHealthy(healthTolerance);
    }
}
