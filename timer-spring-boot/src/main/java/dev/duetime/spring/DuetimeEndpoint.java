package dev.duetime.spring;

import dev.duetime.Scheduler;
import dev.duetime.admin.TimerAdmin;
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

    DuetimeEndpoint(Scheduler scheduler, DuetimeProperties properties) {
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
    public Map<String, Object> pause(@Selector String queue, boolean paused, @Nullable String reason) {
        TimerAdmin admin = scheduler.admin().by("actuator");
        boolean changed =
                !paused ? admin.resume(queue) : reason == null ? admin.pause(queue) : admin.pause(queue, reason);
        return Map.of("queue", queue, "paused", paused, "changed", changed);
    }
}
