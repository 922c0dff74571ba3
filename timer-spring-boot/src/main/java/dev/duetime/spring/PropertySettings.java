package dev.duetime.spring;

import dev.duetime.SchedulerBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.PropertyResolver;

/**
 * The settings of a builder from properties. If the builder refuses a value, the error names the property and where it
 * was set.
 */
final class PropertySettings {

    private static final List<String> DURATIONS = Arrays.stream(DuetimeProperties.class.getRecordComponents())
            .filter(each -> each.getType() == Duration.class)
            .map(each -> DataObjectPropertyName.toDashedForm(each.getName()))
            .toList();

    private static final Pattern BARE_NUMBER = Pattern.compile("[+-]?0*[1-9]\\d*");

    private PropertySettings() {}

    /**
     * Refuses durations without a unit. They would count as milliseconds, and a retention of 7 ms is certainly not
     * meant.
     */
    static void checkUnits(PropertyResolver environment) {
        for (String name : DURATIONS) {
            String value = environment.getProperty("duetime." + name);
            if (value != null && BARE_NUMBER.matcher(value.trim()).matches()) {
                throw new InvalidConfigurationPropertyValueException(
                        "duetime." + name,
                        value,
                        "%s must have a unit, such as %sd or %ss, but was %s".formatted(name, value, value, value));
            }
        }
    }

    static void apply(DuetimeProperties properties, SchedulerBuilder builder) {
        set("poll-interval", properties.pollInterval(), builder::pollInterval);
        set("batch-size", properties.batchSize(), builder::batchSize);
        set("shards", properties.shards(), builder::shards);
        set("retention", properties.retention(), builder::retention);
        set("valid-for", properties.validFor(), builder::validFor);
        set("lease-duration", properties.leaseDuration(), builder::leaseDuration);
        set("close-timeout", properties.closeTimeout(), builder::closeTimeout);
        set("max-payload-bytes", properties.maxPayloadBytes(), builder::maxPayloadBytes);
        set("node-id", properties.nodeId(), builder::nodeId);
    }

    /** Refuses a negative tolerance. */
    static void check(DuetimeProperties properties) {
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
