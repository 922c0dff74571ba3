package dev.duetime.spring.properties;

import java.time.Duration;
import java.util.List;
import java.util.Map;
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
 * @param concurrency How many calls of a publisher run at once, 1 to 1000; 1 by default.
 * @param hints Whether this node hints at timers and shards of other nodes, and reads their hints; true by default.
 * @param virtualThreads Whether loops, calls and workers run in virtual threads; by default as
 *     spring.threads.virtual.enabled says. Needs Java 21 or later.
 * @param shards Number of shards (slices) of a new queue, 1 to 500; by default 64 on a database server and 4 on an
 *     embedded one. Fixed once the queue exists.
 * @param retention How long ended timers are kept, 0 to 36500d; 7d by default.
 * @param validFor How long after its due time a timer is worth delivering, from 1ms; for ever by default.
 * @param leaseDuration How long a crashed node keeps its shards, 100ms to 1h; 10s by default.
 * @param closeTimeout How long deliveries may take to finish when the application stops, 0 to 1h; 10s by default.
 *     Should be less than spring.lifecycle.timeout-per-shutdown-phase.
 * @param occurrenceHistory How long the outcomes of recurring timers are kept, 1m to 3650d; no history by default.
 * @param maxPayloadBytes Largest encoded payload, 1 to 1048576; 1048576 by default.
 * @param nodeId Name of this node, up to 200 characters; process and host by default.
 * @param healthTolerance How long an outage may last before health is down, from 0; 1m by default.
 * @param jdbc The names of the tables.
 * @param console The pages for operators.
 * @param limits Limits for all nodes together, by the name of the queue.
 * @param keepAlive Whether the process stays alive while this node delivers, also without a web server.
 * @param publishEvents Whether timers of the queue default are published as events of the application, each as an
 *     Envelope.
 * @param queues Settings of single queues, by their name.
 */
@ConfigurationProperties(prefix = "duetime", ignoreUnknownFields = false)
public record DuetimeProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("fail") WhenDisabled whenDisabled,
        @DefaultValue("true") boolean migrate,
        @DefaultValue("true") boolean autoStartup,
        @Nullable Duration pollInterval,
        @Nullable Integer batchSize,
        @Nullable Integer concurrency,
        @DefaultValue("true") boolean hints,
        @Nullable Boolean virtualThreads,
        @Nullable Integer shards,
        @Nullable Duration retention,
        @Nullable Duration validFor,
        @Nullable Duration leaseDuration,
        @Nullable Duration closeTimeout,
        @Nullable Duration occurrenceHistory,
        @Nullable Integer maxPayloadBytes,
        @Nullable String nodeId,
        @Nullable Duration healthTolerance,
        @DefaultValue Jdbc jdbc,
        @DefaultValue Console console,
        @DefaultValue Map<String, Limit> limits,
        @DefaultValue("true") boolean keepAlive,
        @DefaultValue("false") boolean publishEvents,
        @DefaultValue Map<String, Queue> queues) {

    /**
     * The pages for operators, on the application's own server. They need the module timer-console.
     *
     * @param enabled Whether the application serves the console.
     * @param path Path of the console below that of the application, such as /ops/duetime.
     * @param basePath What stands before each path of the console as browsers see it, if a proxy changes it; the paths
     *     of the application and of the console by default.
     * @param hosts Names under which browsers reach the console, without ports, besides localhost; * for any.
     *     Requests for other names are refused.
     * @param showPayloads Whether the console shows payloads.
     * @param readRole Role of users of Spring Security who may see everything.
     * @param operateRole Role of users of Spring Security who may also operate.
     */
    public record Console(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/duetime") String path,
            @DefaultValue("") String basePath,
            @DefaultValue List<String> hosts,
            @DefaultValue("false") boolean showPayloads,
            @DefaultValue("DUETIME_READER") String readRole,
            @DefaultValue("DUETIME_OPERATOR") String operateRole) {

        /** Copies the names. */
        public Console {
            hosts = List.copyOf(hosts);
        }
    }

    /**
     * The limits of a queue, for all nodes together.
     *
     * @param concurrency How many timers or todos are in delivery at once, 1 to 1000000; any number by default.
     * @param parallelKey How many of each parallel key are in delivery at once, 1 to 1000; 1 by default.
     * @param rate How many begin in each period, 1 to 1000000; any number by default.
     * @param period The period of the rate, 1ms to 365d; 1s by default. Refused without a rate, as is the burst.
     * @param burst How many may begin at once after a quiet time, 1 to 1000000; as many as the rate by default.
     * @param tenantRate How many of each tenant begin in each period, 1 to 1000000; any number by default.
     * @param tenantPeriod The period of the rate of each tenant, 1ms to 365d; 1s by default.
     * @param tenantBurst How many of each tenant may begin at once after a quiet time, 1 to 1000000; as many as the
     *     rate by default.
     */
    public record Limit(
            @Nullable Integer concurrency,
            @Nullable Integer parallelKey,
            @Nullable Integer rate,
            @Nullable Duration period,
            @Nullable Integer burst,
            @Nullable Integer tenantRate,
            @Nullable Duration tenantPeriod,
            @Nullable Integer tenantBurst) {}

    /**
     * The settings of one queue. What is not set here is as for all queues.
     *
     * @param pollInterval Longest time between two polls for timers that other nodes scheduled, 1ms to 1h.
     * @param batchSize Largest number of timers that a publisher gets at once, 1 to 10000.
     * @param concurrency How many calls of the publisher or of handlers run at once, 1 to 1000.
     * @param shards Number of shards (slices) of the queue if it is new, 1 to 500.
     * @param retention How long ended timers are kept, 0 to 36500d.
     * @param validFor How long after its due time a timer is worth delivering, from 1ms.
     */
    public record Queue(
            @Nullable Duration pollInterval,
            @Nullable Integer batchSize,
            @Nullable Integer concurrency,
            @Nullable Integer shards,
            @Nullable Duration retention,
            @Nullable Duration validFor) {}

    /**
     * The names of the tables.
     *
     * @param schema Schema of the tables, a database on MariaDB and MySQL; that of the data source's connections by
     *     default. Letters, digits, underscores and hyphens.
     * @param tablePrefix What the names of all tables and indexes begin with; empty by default. Letters, digits and
     *     underscores.
     */
    public record Jdbc(@Nullable String schema, @Nullable String tablePrefix) {}

    /** The behaviour of {@link dev.duetime.Timers} without a scheduler. */
    public enum WhenDisabled {
        /** Each call throws an {@link IllegalStateException}. */
        FAIL,
        /** Nothing is stored, cancelled or found. */
        IGNORE
    }
}
