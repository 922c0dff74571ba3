package dev.duetime.engine.operate;

import dev.duetime.admin.LimitUse;
import dev.duetime.admin.NodeSample;
import dev.duetime.admin.QueueOverview;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operations on queues: pause and resume a queue for the whole cluster, and show who delivers it. Thread-safe. */
public interface QueueOperations {

    /**
     * Pauses a queue: on this node from the next batch on, on others from their next poll on. Returns whether it was
     * not paused before.
     */
    boolean pause(String queue, @Nullable String operator, @Nullable String reason);

    /** Resumes a queue and reads it at once. Returns whether it was paused. */
    boolean resume(String queue);

    /**
     * Returns what the nodes have delivered lately, as they have written it. Asks them to write for the next half a
     * minute.
     */
    List<NodeSample> samples();

    /**
     * Returns which node holds how much of which limit, in order of queues and names. Shares that have ended are left
     * out.
     */
    List<LimitUse> limits();

    /** Returns the given queues, by name. */
    List<QueueOverview> overview(Set<String> queues);
}
