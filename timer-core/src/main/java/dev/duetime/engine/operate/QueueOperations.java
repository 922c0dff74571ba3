package dev.duetime.engine.operate;

import dev.duetime.admin.QueueOverview;
import java.util.List;
import java.util.Set;

/** The operations on queues: pause and resume a queue for the whole cluster, and show who delivers it. Thread-safe. */
public interface QueueOperations {

    /** Pauses a queue: here from the next batch on, elsewhere with the next poll; returns whether it was not paused. */
    boolean pause(String queue);

    /** Ends the pause of a queue and looks at once; returns whether it was paused. */
    boolean resume(String queue);

    /** Shows the given queues, by name. */
    List<QueueOverview> overview(Set<String> queues);
}
