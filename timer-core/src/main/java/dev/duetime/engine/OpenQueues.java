package dev.duetime.engine;

import dev.duetime.engine.schedule.TimerResolver;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.store.ScheduleStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queues that a node knows, and how many shards each has in the store. Thread-safe. */
final class OpenQueues implements TimerResolver.Queues {
    private static final Logger LOG = LoggerFactory.getLogger(OpenQueues.class);

    private final ScheduleStore store;
    private final Map<String, QueueSettings> settings = new LinkedHashMap<>();
    private final Map<String, Integer> shards = new ConcurrentHashMap<>();

    OpenQueues(ScheduleStore store, List<QueueSettings> queues) {
        this.store = store;
        queues.forEach(each -> settings.put(each.name(), each));
    }

    /**
     * Opens the queues that this node serves, and those that are in the store. Any other queue is created by the first
     * schedule on it: the nodes that serve it know how many shards it needs.
     *
     * @throws dev.duetime.StoreException if the store failed
     */
    void openAll() {
        settings.values().forEach(this::openIfKnown);
    }

    private void openIfKnown(QueueSettings queue) {
        boolean known =
                queue.isServed() || !store.leases().view(queue.name()).leases().isEmpty();
        if (known) {
            open(queue);
        }
        if (!queue.isServed()) {
            LOG.info("queue {} has no publisher here and is left to other nodes to deliver", queue.name());
        }
    }

    private int open(QueueSettings queue) {
        int count = store.leases().open(queue.name(), queue.shards());
        int wanted = queue.shards().orElse(count);
        if (queue.isSequential() && count > 1) {
            LOG.info(
                    "queue {} has {} shards; one node at a time owns them all and runs its todos", queue.name(), count);
        } else if (wanted != count) {
            LOG.warn(
                    "queue {} has {} shards since it was created; the setting of {} changes nothing",
                    queue.name(),
                    count,
                    wanted);
        }
        shards.put(queue.name(), count);
        return count;
    }

    /** Returns how many shards each of these queues has, by name. */
    Map<String, Integer> shardsOf(List<QueueSettings> queues) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        queues.forEach(each -> counts.put(each.name(), shards(each.name())));
        return counts;
    }

    @Override
    public boolean knows(String queue) {
        return settings.containsKey(queue);
    }

    @Override
    public Set<String> queues() {
        return Set.copyOf(settings.keySet());
    }

    @Override
    public int shards(String queue) {
        Integer opened = shards.get(queue);
        QueueSettings known = settings.get(queue);
        return opened != null ? opened : known == null ? 1 : open(known);
    }
}
