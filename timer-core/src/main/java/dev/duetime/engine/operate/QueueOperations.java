package dev.duetime.engine.operate;

import dev.duetime.admin.QueueOverview;
import java.util.List;
import java.util.Set;

/** The operations on queues: pause and resume a queue for the whole cluster, and show who delivers it. Thread-safe. */
public interface QueueOperations {

    /**
     * Pauses a queue: on this node from the next batch on, on others from their next poll on. Returns whether it was
     * not paused before.
     */
    boolean pause(String queue);

    /** Resumes a queue and reads it at once. Returns whether it was paused. */
    boolean resume(String queue);

    /** Returns the given queues, by name. */
    List<QueueOverview> overview(Set<String> queues);
}
