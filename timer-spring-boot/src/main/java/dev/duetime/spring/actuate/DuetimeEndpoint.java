package dev.duetime.spring.actuate;

import dev.duetime.Scheduler;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.spring.properties.DuetimeProperties;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The endpoint {@code duetime} of the actuator: the queues of the database, the health of this node, and a switch that
 * pauses a queue on all nodes. It shows no payloads and no keys. Thread-safe.
 */
@Endpoint(id = "duetime")
public final class DuetimeEndpoint {
    private final Scheduler scheduler;
    private final DuetimeProperties properties;

    /** Creates the endpoint. */
    public DuetimeEndpoint(Scheduler scheduler, DuetimeProperties properties) {
        this.scheduler = scheduler;
        this.properties = properties;
    }

    /** Returns the health of this node and an overview of each queue; asks the database. */
    @ReadOperation
    public Map<String, Object> overview() {
        SchedulerHealth health = SchedulerHealth.of(scheduler, properties);
        Map<String, Object> overview = new LinkedHashMap<>();
        overview.put("up", health.isUp());
        overview.put("node", health.details());
        overview.put("queues", scheduler.admin().queues());
        return overview;
    }

    /**
     * Pauses or resumes a queue on all nodes.
     *
     * @param reason why it is paused; for operators. Not used to resume
     * @return whether that changed anything
     * @throws IllegalArgumentException if the queue is unknown, or the reason is too long
     */
    @WriteOperation
    @SuppressWarnings("deprecation") // Spring Boot 3.5 finds only this annotation, and would ask for a reason.
    public Map<String, Object> pause(
            @Selector String queue, boolean paused, @org.springframework.lang.Nullable @Nullable String reason) {
        TimerAdmin admin = scheduler.admin().by("actuator");
        boolean changed =
                !paused ? admin.resume(queue) : reason == null ? admin.pause(queue) : admin.pause(queue, reason);
        return Map.of("queue", queue, "paused", paused, "changed", changed);
    }
}
