package dev.duetime.spring.actuate;

import dev.duetime.Scheduler;
import dev.duetime.admin.Health;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.admin.QueueHealth;
import dev.duetime.admin.QueuePause;
import dev.duetime.spring.internal.properties.PropertySettings;
import dev.duetime.spring.properties.DuetimeProperties;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The health of a node as an application shows it: {@link dev.duetime.admin.TimerAdmin#health}, without a call of the
 * database. A node that only schedules is up. Immutable and thread-safe.
 *
 * @param isUp whether the node is healthy, or its outages are shorter than {@code duetime.health-tolerance}
 * @param details the node, its outages and its queues
 */
public record SchedulerHealth(boolean isUp, Map<String, Object> details) {

    /** Returns the health of a scheduler at this moment. */
    public static SchedulerHealth of(Scheduler scheduler, DuetimeProperties properties) {
        Health now = scheduler.admin().health();
        boolean delivers = properties.autoStartup() && !now.queues().isEmpty();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("nodeId", now.nodeId());
        details.put("running", now.running());
        outage(now.leaseOutage()).ifPresent(outage -> details.put("leaseOutage", outage));
        Map<String, Object> queues = new LinkedHashMap<>();
        now.queues().forEach(queue -> queues.put(queue.queue(), details(queue, now)));
        details.put("queues", queues);
        return new SchedulerHealth(!delivers || isHealthy(now, properties.healthTolerance()), details);
    }

    /**
     * Checks the properties of health.
     *
     * @throws org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException if {@code
     *     duetime.health-tolerance} is negative
     */
    public static void check(DuetimeProperties properties) {
        PropertySettings.check(properties);
    }

    private static boolean isHealthy(Health now, @Nullable Duration tolerance) {
        return tolerance == null ? now.isHealthy() : now.isHealthy(tolerance);
    }

    private static Map<String, Object> details(QueueHealth queue, Health now) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("ownedShards", queue.ownedShards());
        details.put("inDelivery", queue.inDelivery());
        details.put("oldestDueAge", queue.oldestDueAge(now.at()).toString());
        outage(queue.storeOutage()).ifPresent(outage -> details.put("storeOutage", outage));
        outage(queue.publisherOutage()).ifPresent(outage -> details.put("publisherOutage", outage));
        QueuePause pause = queue.pause();
        if (pause != null) {
            details.put("pausedSince", pause.since().toString());
        }
        return details;
    }

    private static Optional<Map<String, Object>> outage(@Nullable OngoingOutage outage) {
        return Optional.ofNullable(outage)
                .map(each -> Map.of("since", each.since().toString(), "error", each.error()));
    }
}
