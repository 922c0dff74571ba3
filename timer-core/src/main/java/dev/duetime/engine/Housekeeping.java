package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Is one turn of the node's housekeeping, once a minute: sets the clock, lets patterns tend what they keep, deletes ended timers
 * that are old enough, samples.
 */
final class Housekeeping implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
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

    private volatile List<Runnable> tending = List.of();
    /** Those that failed the last time. Used by the one thread that tends. */
    private final Set<Runnable> failing = new HashSet<>();

    private volatile boolean closing;

    /** When the last turn was, if it did all that is to be done. */
    private Instant doneAt = Instant.MIN;

    Housekeeping(ScheduleStore store, Clock clock, NodeSettings node, List<QueueSettings> queues, Sampler sampler) {
        this.store = store;
        this.clock = clock;
        this.queues = queues;
        this.sampler = sampler;
        this.outage = new Outage(node.listeners().availability(Engine.STORE), node.random());
    }

    /** Sets what else is done in each turn; before the first one. */
    void tend(List<Runnable> patterns) {
        tending = List.copyOf(patterns);
    }

    /** Lets the running turn end after its batch. */
    void close() {
        closing = true;
    }

    @Override
    public Instant run() {
        doneAt = Instant.MIN;
        try {
            if (clock instanceof StoreClock storeClock) {
                storeClock.refresh();
            }
            keepInOrder();
            outage.over(clock.now());
            doneAt = clock.now();
        } catch (StoreException e) {
            Instant retryAt = outage.failed(e, clock.now());
            // With others, so that the end of the outage is noticed; alone it may be a purge that is too slow.
            if (outage.isShared() || outage.failures() <= SOON) {
                return retryAt;
            }
        }
        return clock.now().plus(EVERY);
    }

    /** A purge may be left out, as long as nobody looks: the next one deletes the same. */
    @Override
    public Instant idleUntil() {
        boolean onlyPurges = !doneAt.equals(Instant.MIN)
                && tending.isEmpty()
                && !sampler.isWanted()
                && !(clock instanceof StoreClock);
        return onlyPurges ? Instant.MAX : Instant.MIN;
    }

    @Override
    public Instant leftOut() {
        Instant now = clock.now();
        long done = clock.nanoTime() - Duration.between(doneAt, now).toNanos();
        long last = LeftOutTurns.last(done, EVERY, clock);
        if (last > done) {
            doneAt = LeftOutTurns.at(last, clock);
            try {
                queues.forEach(queue -> purge(queue, doneAt));
            } catch (StoreException e) {
                LOG.debug("a purge failed and is made again at once: {}", e.getClass().getName());
                return now;
            }
        }
        return doneAt.plus(EVERY);
    }

    /** Takes each step though the store fails in another one: that may be wrong for good, and with it alone. */
    private void keepInOrder() {
        List<Runnable> steps = new ArrayList<>();
        tending.forEach(pattern -> steps.add(() -> tend(pattern)));
        steps.add(() -> sampler.sample(clock.now()));
        queues.forEach(queue -> steps.add(() -> purge(queue, clock.now())));
        StoreException first = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (StoreException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** What is wrong with one pattern is not with the others, nor with what else is to be done. */
    private void tend(Runnable pattern) {
        if (closing) {
            return;
        }
        try {
            pattern.run();
            failing.remove(pattern);
        } catch (StoreException e) {
            throw e;
        } catch (Exception | Error e) {
            Fatal.rethrow(e);
            if (failing.add(pattern)) {
                LOG.error(
                        "what lives on this scheduler could not be brought into order, and is tried again each minute",
                        ErrorText.traceOf(e));
            }
        }
    }

    private void purge(QueueSettings queue, Instant now) {
        Instant before = now.minus(queue.retention());
        for (int i = 0; i < BATCHES && !closing; i++) {
            if (store.purge(queue.name(), before, BATCH) < BATCH) {
                return;
            }
        }
    }
}
