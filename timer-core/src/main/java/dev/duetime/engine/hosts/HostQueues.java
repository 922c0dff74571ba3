package dev.duetime.engine.hosts;

import dev.duetime.admin.LimitUse;
import dev.duetime.admin.NodeSample;
import dev.duetime.admin.QueueOverview;
import dev.duetime.admin.QueueOverview.Node;
import dev.duetime.engine.operate.QueueOperations;
import dev.duetime.internal.Times;
import dev.duetime.internal.inside.FirstFailure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pauses and overviews of queues, combined over all hosts. If a host is unavailable, a pause or resume is still
 * done on the other hosts, and then throws the failure. Thread-safe.
 */
final class HostQueues implements QueueOperations {
    private final HostEngines engines;
    private final List<String> hosts;

    HostQueues(HostEngines engines, List<String> hosts) {
        this.engines = engines;
        this.hosts = List.copyOf(hosts);
    }

    @Override
    public boolean pause(String queue, @Nullable String operator, @Nullable String reason) {
        return any(queues -> queues.pause(queue, operator, reason));
    }

    @Override
    public boolean resume(String queue) {
        return any(queues -> queues.resume(queue));
    }

    private boolean any(Predicate<QueueOperations> work) {
        FirstFailure failure = new FirstFailure();
        boolean any = false;
        for (String host : hosts) {
            any |= failure.attempt(
                    () -> engines.call(
                            host, engine -> work.test(engine.operations().queues())),
                    false);
        }
        failure.rethrow();
        return any;
    }

    @Override
    public List<NodeSample> samples() {
        return hosts.stream()
                .map(host -> engines.call(
                        host, engine -> engine.operations().queues().samples()))
                .flatMap(List::stream)
                .toList();
    }

    /** Each host has limits of its own, so one limit appears once for each host. */
    @Override
    public List<LimitUse> limits() {
        return hosts.stream()
                .map(host -> engines.call(
                        host, engine -> engine.operations().queues().limits()))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<QueueOverview> overview(Set<String> queues) {
        Map<String, QueueOverview> sums = new TreeMap<>();
        for (String host : hosts) {
            engines.call(host, engine -> engine.operations().queues().overview(queues))
                    .forEach(each -> sums.merge(each.queue(), each, HostQueues::sum));
        }
        return List.copyOf(sums.values());
    }

    /** Adds two overviews. The shards of the second host are numbered after those of the first host. */
    private static QueueOverview sum(QueueOverview one, QueueOverview other) {
        Map<String, Node> nodes = new TreeMap<>();
        one.nodes().forEach(node -> nodes.put(node.nodeId(), node));
        for (Node node : other.nodes()) {
            Set<Integer> shards = new HashSet<>();
            node.shards().forEach(shard -> shards.add(one.shards() + shard));
            nodes.merge(
                    node.nodeId(), new Node(node.nodeId(), shards, node.aliveUntil(), node.alive()), HostQueues::sum);
        }
        return new QueueOverview(
                one.queue(),
                one.shards() + other.shards(),
                new ArrayList<>(nodes.values()),
                Times.earliest(one.oldestDue(), other.oldestDue()),
                one.pause() == null ? other.pause() : one.pause());
    }

    private static Node sum(Node one, Node other) {
        Set<Integer> shards = new HashSet<>(one.shards());
        shards.addAll(other.shards());
        return new Node(
                one.nodeId(), shards, Times.later(one.aliveUntil(), other.aliveUntil()), one.alive() && other.alive());
    }
}
