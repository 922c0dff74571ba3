package dev.duetime.admin;

import dev.duetime.SchedulerBuilder;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that deliver the timers of a queue, as stored in the database. Immutable and thread-safe.
 *
 * @param queue the queue
 * @param shards how many shards it has
 * @param nodes the nodes that own shards of it or wait for some, by name. A vanished node is included until its shards
 *     are taken over
 * @param oldestDue since when the oldest timer of the queue has been due; null if none is
 * @param pause since when it is paused; null if it is not
 */
public record QueueOverview(
        String queue,
        int shards,
        List<Node> nodes,
        @Nullable Instant oldestDue,
        @Nullable QueuePause pause) {

    /** Copies the nodes. */
    public QueueOverview {
        nodes = List.copyOf(nodes);
    }

    /**
     * Returns how many shards have no live owner, so their timers wait. In the steady state this is none; if no node
     * that serves the queue runs, it is all of them.
     */
    public int unownedShards() {
        return shards
                - nodes.stream()
                        .filter(Node::alive)
                        .mapToInt(node -> node.shards().size())
                        .sum();
    }

    /**
     * One node of a queue.
     *
     * @param nodeId its name: host, process and a random part, unless {@link SchedulerBuilder#nodeId} is set
     * @param shards the shards that it owns, in order
     * @param aliveUntil when it counts as vanished unless it renews before
     * @param alive whether that time is in the future
     */
    public record Node(String nodeId, Set<Integer> shards, Instant aliveUntil, boolean alive) {

        /** Copies the shards. */
        public Node {
            shards = Collections.unmodifiableSet(new TreeSet<>(shards));
        }
    }
}
