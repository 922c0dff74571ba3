package dev.duetime.spring.internal.properties;

import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.SchedulerBuilder;
import dev.duetime.jdbc.JdbcScheduleStoreBuilder;
import dev.duetime.spring.properties.DuetimeProperties;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;

/**
 * The settings of a builder from properties. If the builder refuses a value, the error names the property and where it
 * was set.
 */
public final class PropertySettings {

    private static final List<String> DURATIONS = durations(DuetimeProperties.class);
    private static final List<String> DURATIONS_OF_QUEUES = durations(DuetimeProperties.Queue.class);
    private static final List<String> DURATIONS_OF_LIMITS = durations(DuetimeProperties.Limit.class);

    private static final Pattern BARE_NUMBER = Pattern.compile("[+-]?0*[1-9]\\d*");

    private PropertySettings() {}

    /**
     * Refuses durations without a unit. They would count as milliseconds, and a retention of 7 ms is certainly not
     * meant.
     */
    public static void checkUnits(Environment environment, DuetimeProperties properties) {
        Binder binder = Binder.get(environment);
        DURATIONS.forEach(each -> checkUnit(binder, each));
        properties
                .queues()
                .keySet()
                .forEach(queue ->
                        DURATIONS_OF_QUEUES.forEach(each -> checkUnit(binder, "queues[" + queue + "]." + each)));
        properties
                .limits()
                .keySet()
                .forEach(queue ->
                        DURATIONS_OF_LIMITS.forEach(each -> checkUnit(binder, "limits[" + queue + "]." + each)));
    }

    private static List<String> durations(Class<? extends Record> properties) {
        return Arrays.stream(properties.getRecordComponents())
                .filter(each -> each.getType() == Duration.class)
                .map(each -> DataObjectPropertyName.toDashedForm(each.getName()))
                .toList();
    }

    /** Looks for the value as Spring does, which knows several forms of each name. */
    private static void checkUnit(Binder binder, String name) {
        String value = binder.bind("duetime." + name, String.class).orElse(null);
        if (value != null && BARE_NUMBER.matcher(value.trim()).matches()) {
            throw new InvalidConfigurationPropertyValueException(
                    "duetime." + name,
                    value,
                    "%s must have a unit, such as %sd or %ss, but was %s".formatted(name, value, value, value));
        }
    }

    /** Sets up single queues. A queue that nothing else declares is one on which this node only schedules. */
    public static void applyQueues(DuetimeProperties properties, SchedulerBuilder builder) {
        properties
                .queues()
                .forEach((name, given) -> builder.queue(name, queue -> {
                    String prefix = "queues." + name + ".";
                    set(prefix + "poll-interval", given.pollInterval(), queue::pollInterval);
                    set(prefix + "batch-size", given.batchSize(), queue::batchSize);
                    set(prefix + "concurrency", given.concurrency(), queue::concurrency);
                    set(prefix + "shards", given.shards(), queue::shards);
                    set(prefix + "retention", given.retention(), queue::retention);
                    set(prefix + "valid-for", given.validFor(), queue::validFor);
                }));
    }

    public static void apply(DuetimeProperties properties, SchedulerBuilder builder) {
        set("poll-interval", properties.pollInterval(), builder::pollInterval);
        set("batch-size", properties.batchSize(), builder::batchSize);
        set("concurrency", properties.concurrency(), builder::concurrency);
        builder.hints(properties.hints());
        set("shards", properties.shards(), builder::shards);
        set("retention", properties.retention(), builder::retention);
        set("valid-for", properties.validFor(), builder::validFor);
        set("lease-duration", properties.leaseDuration(), builder::leaseDuration);
        set("close-timeout", properties.closeTimeout(), builder::closeTimeout);
        set("occurrence-history", properties.occurrenceHistory(), builder::occurrenceHistory);
        set("max-payload-bytes", properties.maxPayloadBytes(), builder::maxPayloadBytes);
        set("node-id", properties.nodeId(), builder::nodeId);
        properties.limits().forEach((queue, limit) -> builder.queue(queue, settings -> apply(queue, limit, settings)));
    }

    private static void apply(String queue, DuetimeProperties.Limit limit, QueueBuilder settings) {
        String prefix = "limits." + queue + ".";
        set(prefix + "concurrency", limit.concurrency(), settings::concurrencyLimit);
        set(prefix + "parallel-key", limit.parallelKey(), settings::parallelKeyLimit);
        rate(prefix + "rate", limit.rate(), limit.period(), limit.burst(), settings::rateLimit);
        rate(
                prefix + "tenant-rate",
                limit.tenantRate(),
                limit.tenantPeriod(),
                limit.tenantBurst(),
                settings::tenantRateLimit);
    }

    /** Sets a rate. A period or a burst without a rate would limit nothing, which is certainly not meant. */
    private static void rate(
            String name,
            @Nullable Integer permits,
            @Nullable Duration period,
            @Nullable Integer burst,
            Consumer<RateLimit> setter) {
        if (permits == null && (period != null || burst != null)) {
            throw new InvalidConfigurationPropertyValueException(
                    "duetime." + name, null, "the rate must be set where its period or burst is");
        }
        set(name, permits, each -> {
            RateLimit limit = RateLimit.of(each, period == null ? Duration.ofSeconds(1) : period);
            setter.accept(burst == null ? limit : limit.burst(burst));
        });
    }

    public static void apply(DuetimeProperties.Jdbc properties, JdbcScheduleStoreBuilder builder) {
        set("jdbc.schema", properties.schema(), builder::schema);
        set("jdbc.table-prefix", properties.tablePrefix(), builder::tablePrefix);
    }

    /** Refuses a negative tolerance. */
    public static void check(DuetimeProperties properties) {
        set("health-tolerance", properties.healthTolerance(), tolerance -> {
            if (tolerance.isNegative()) {
                throw new IllegalArgumentException("healthTolerance must be at least PT0S but was " + tolerance);
            }
        });
    }

    private static <T> void set(String name, @Nullable T value, Consumer<T> setter) {
        if (value == null) {
            return;
        }
        try {
            setter.accept(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException("duetime." + name, value, e.getMessage());
        }
    }
}
