package dev.duetime.spring;

import dev.duetime.SchedulerBuilder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Hands properties to a builder; what that refuses is told by the name of the property and where it was set. */
final class PropertySettings {

    private PropertySettings() {}

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

    /** Refuses what no health could be judged by. */
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
