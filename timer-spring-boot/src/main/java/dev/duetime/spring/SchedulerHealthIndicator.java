package dev.duetime.spring;

import dev.duetime.Scheduler;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.admin.QueueHealth;
import dev.duetime.admin.QueuePause;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * A health indicator that shows {@link dev.duetime.admin.TimerAdmin#health}, without a call of the database. A node
 * that only schedules is up. Thread-safe.
 */
final class SchedulerHealthIndicator implements HealthIndicator {
    private final Scheduler scheduler;
    private final DuetimeProperties properties;

    SchedulerHealthIndicator(Scheduler scheduler, DuetimeProperties properties) {
        this.scheduler = scheduler;
        this.properties = properties;
    }

    @Override
    public Health health() {
        dev.duetime.admin.Health now = scheduler.admin().health();
        boolean delivers = properties.autoStartup() && !now.queues().isEmpty();
        Health.Builder health = !delivers || properties.allows(now) ? Health.up() : Health.down();
        health.withDetail("nodeId", now.nodeId()).withDetail("running", now.running());
        outage(now.leaseOutage()).ifPresent(outage -> health.withDetail("leaseOutage", outage));
        Map<String, Object> queues = new LinkedHashMap<>();
        now.queues().forEach(queue -> queues.put(queue.queue(), details(queue, now)));
        return health.withDetail("queues", queues).build();
    }

    private static Map<String, Object> details(QueueHealth queue, dev.duetime.admin.Health now) {
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
