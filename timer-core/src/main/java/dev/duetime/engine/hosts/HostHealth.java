package dev.duetime.engine.hosts;

import dev.duetime.admin.Health;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.admin.QueueHealth;
import dev.duetime.admin.QueueHealth.PermitWait;
import dev.duetime.internal.Times;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The health of a node on several hosts: sums of the numbers, the worst of all other values, and outages with their
 * host's name.
 */
final class HostHealth {
    private HostHealth() {}

    /**
     * Returns the health of all hosts together.
     *
     * @param missing the outages of hosts that are not open yet
     */
    static Health sum(Map<String, Health> hosts, Map<String, OngoingOutage> missing, String nodeId, Instant now) {
        Map<String, QueueHealth> queues = new LinkedHashMap<>();
        hosts.forEach((host, health) ->
                health.queues().forEach(queue -> queues.merge(queue.queue(), named(host, queue), HostHealth::sum)));
        OngoingOutage leases = Stream.concat(
                        missing.entrySet().stream().map(each -> named(each.getKey(), each.getValue())),
                        hosts.entrySet().stream()
                                .map(each ->
                                        named(each.getKey(), each.getValue().leaseOutage())))
                .filter(Objects::nonNull)
                .min(Comparator.comparing(OngoingOutage::since))
                .orElse(null);
        boolean running = hosts.values().stream().allMatch(Health::running);
        Instant stuck = hosts.values().stream()
                .map(Health::stuckSince)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
        return new Health(
                nodeId, now, running, leases, stuck, queues.values().stream().toList());
    }

    private static QueueHealth named(String host, QueueHealth queue) {
        return new QueueHealth(
                queue.queue(),
                queue.ownedShards(),
                queue.inDelivery(),
                queue.lastPoll(),
                queue.oldestDue(),
                queue.turnSince(),
                named(host, queue.storeOutage()),
                named(host, queue.publisherOutage()),
                queue.pause(),
                queue.noShards() == null ? null : "host " + host + ": " + queue.noShards(),
                queue.permitWait());
    }

    private static @Nullable OngoingOutage named(String host, @Nullable OngoingOutage outage) {
        return outage == null ? null : new OngoingOutage(outage.since(), "host " + host + ": " + outage.error());
    }

    private static QueueHealth sum(QueueHealth one, QueueHealth other) {
        return new QueueHealth(
                one.queue(),
                one.ownedShards() + other.ownedShards(),
                one.inDelivery() + other.inDelivery(),
                one.lastPoll() == null || other.lastPoll() == null
                        ? null
                        : Times.earlier(one.lastPoll(), other.lastPoll()),
                Times.earliest(one.oldestDue(), other.oldestDue()),
                Times.earliest(one.turnSince(), other.turnSince()),
                longest(one.storeOutage(), other.storeOutage()),
                longest(one.publisherOutage(), other.publisherOutage()),
                one.pause() == null ? other.pause() : one.pause(),
                one.noShards() == null ? other.noShards() : one.noShards(),
                longest(one.permitWait(), other.permitWait()));
    }

    private static @Nullable PermitWait longest(@Nullable PermitWait one, @Nullable PermitWait other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return other.since().isBefore(one.since()) ? other : one;
    }

    private static @Nullable OngoingOutage longest(@Nullable OngoingOutage one, @Nullable OngoingOutage other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return other.since().isBefore(one.since()) ? other : one;
    }
}
