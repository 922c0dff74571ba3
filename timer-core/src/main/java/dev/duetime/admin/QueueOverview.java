package dev.duetime.admin;

import dev.duetime.SchedulerBuilder;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Shows who delivers the timers of a queue, as the database has it. Immutable and thread-safe.
 *
 * @param queue the queue
 * @param shards how many slices it has
 * @param nodes the nodes that own slices of it or wait for some, by name; one that vanished until its slices are taken over
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
     * Returns how many shards nobody alive owns: their timers wait. None in the steady state, all if no node that serves the
     * queue runs.
     */
    public int unownedShards() {
        return shards
                - nodes.stream()
                        .filter(Node::alive)
                        .mapToInt(node -> node.shards().size())
                        .sum();
    }

    /**
     * Is one node of a queue.
     *
     * @param nodeId its name: host, process and a random part unless {@link SchedulerBuilder#nodeId} set another
     * @param shards the slices that it owns, in order
     * @param aliveUntil when it counts as vanished unless it is heard of again
     * @param alive whether that is still to come
     */
    public record Node(String nodeId, Set<Integer> shards, Instant aliveUntil, boolean alive) {

        /** Copies the shards. */
        public Node {
            shards = Collections.unmodifiableSet(new TreeSet<>(shards));
        }
    }
}
