package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Is one turn of the node's housekeeping, once a minute: deletes ended timers that are old enough, sets the clock, samples. */
final class Housekeeping implements Clock.Pass {
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final int BATCH = 1_000;
    /** Bounds a turn; what is left is deleted by the next. */
    private static final int BATCHES = 100;
    /**
     * So often in a row a turn that failed is tried again soon, though no other loop meets an outage: for longer than it
     * takes the node to renew its leases, so that if the store is away others have noticed by then.
     */
    private static final int SOON = 12;

    private final ScheduleStore store;
    private final Clock clock;
    private final List<QueueSettings> queues;
    private final Sampler sampler;
    private final Outage outage;

    private volatile boolean closing;

    Housekeeping(ScheduleStore store, Clock clock, NodeSettings node, List<QueueSettings> queues, Sampler sampler) {
        this.store = store;
        this.clock = clock;
        this.queues = queues;
        this.sampler = sampler;
        this.outage = new Outage(node.listeners().availability(Engine.STORE), node.random());
    }

    /** Lets the running turn end after its batch. */
    void close() {
        closing = true;
    }

    @Override
    public Instant run() {
        try {
            if (clock instanceof StoreClock storeClock) {
                storeClock.refresh();
            }
            sampler.sample(clock.now());
            queues.forEach(this::purge);
            outage.over(clock.now());
        } catch (StoreException e) {
            Instant retryAt = outage.failed(e, clock.now());
            // With others, so that the end of the outage is noticed; alone it may be a purge that is too slow.
            if (outage.isShared() || outage.failures() <= SOON) {
                return retryAt;
            }
        }
        return clock.now().plus(EVERY);
    }

    private void purge(QueueSettings queue) {
        Instant before = clock.now().minus(queue.retention());
        for (int i = 0; i < BATCHES && !closing; i++) {
            if (store.purge(queue.name(), before, BATCH) < BATCH) {
                return;
            }
        }
    }
}
