package dev.duetime.engine.loop;

import dev.duetime.admin.QueueHealth;
import dev.duetime.admin.QueuePause;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.shards.Takeover;
import dev.duetime.internal.EndSteps;
import dev.duetime.store.ShardMap.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loops of the queues that a node delivers. Queues are added before anything else; after that it is thread-safe.
 */
public final class QueueLoops implements Takeover {
    private static final Logger LOG = LoggerFactory.getLogger(QueueLoops.class);

    private final Map<String, ServedQueue> queues = new LinkedHashMap<>();
    private final List<ServedQueue> inOrder = new ArrayList<>();

    /** Adds a queue. */
    public void add(ServedQueue queue) {
        queues.put(queue.name(), queue);
        inOrder.add(queue);
    }

    /** Returns whether this node delivers no queue. */
    public boolean isEmpty() {
        return queues.isEmpty();
    }

    /** Starts the loop of each queue. Their turns are held back until {@link #begin}. */
    public void start() {
        inOrder.forEach(queue -> queue.watch().hold());
        inOrder.forEach(ServedQueue::start);
    }

    /** Lets the turns of the started loops begin. */
    public void begin() {
        EndSteps.each(inOrder, queue -> queue.watch().begin());
    }

    /**
     * Ends loops that were started, because another one could not be started. None of their turns has begun. They can
     * be started again.
     */
    public void undoStart() {
        EndSteps.each(inOrder, ServedQueue::undoStart);
    }

    /** Makes all turns after the running ones do nothing. */
    public void beginClose() {
        EndSteps.each(inOrder, ServedQueue::beginClose);
    }

    /** Waits for the running turns, together no longer than the given time, and then interrupts them. */
    public void interrupt(Supplier<Duration> left) {
        EndSteps.each(inOrder, queue -> {
            if (queue.isStarted()) {
                queue.close(left);
            }
        });
    }

    private Stream<ServedQueue> started() {
        return inOrder.stream().filter(ServedQueue::isStarted);
    }

    /**
     * The queues whose loops have ended.
     *
     * @param whole the queues that can be finished
     * @param inPart the queues whose delivery still runs
     */
    public record Ended(List<ServedQueue> whole, List<ServedQueue> inPart) {
        /** Creates it for queues that are yet to end. */
        public Ended() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    /**
     * Waits for the interrupted loops, no longer than the given time.
     *
     * @param ended gets the queues that have ended, also if another one fails
     */
    public void close(Supplier<Duration> left, Ended ended) {
        EndSteps.each(inOrder, queue -> {
            if (queue.isStarted()) {
                close(queue, left, ended);
            }
        });
    }

    private static void close(ServedQueue queue, Supplier<Duration> left, Ended ended) {
        ServedQueue.Ended parts = queue.close(left);
        if (parts.loop() && parts.delivery()) {
            ended.whole.add(queue);
        } else {
            if (parts.loop()) {
                ended.inPart.add(queue);
            }
            queue.noLongerAwaited(parts.loop());
            if (!parts.loop() && queue.close(() -> Duration.ZERO).loop()) {
                // The last turn ended before it could know that nobody waits for it.
                queue.noLongerAwaited(true);
                ended.inPart.add(queue);
            }
            LOG.warn("queue {} is still delivering; unsettled timers will be delivered again", queue.name());
        }
    }

    /** Returns all queues. */
    Collection<ServedQueue> all() {
        return queues.values();
    }

    /** Makes a queue's loop read a timer that is due at that time; {@link Instant#MIN} for all that is due. */
    public void wake(String queue, Instant dueAt) {
        with(queue, served -> served.wake(dueAt));
    }

    private void with(String queue, Consumer<ServedQueue> action) {
        ServedQueue served = queues.get(queue);
        if (served != null) {
            action.accept(served);
        }
    }

    /** Returns whether a queue's loop runs and has no more to do than it gets done at once. */
    public boolean keepsUp(String queue) {
        ServedQueue served = queues.get(queue);
        return served != null && served.keepsUp();
    }

    /**
     * Makes a queue's loop ask for a timer whose commit it does not see.
     *
     * @param dueAt when it is due; {@link Instant#MIN} if that is not known
     */
    public void wakeUncommitted(String queue, Instant dueAt) {
        with(queue, served -> served.wakeUncommitted(dueAt));
    }

    /** Makes a queue's loop read a timer, it is not known when that is due. */
    public void wakeUnknown(String queue) {
        with(queue, ServedQueue::wakeUnknown);
    }

    /** Makes all loops read timers that are due at that time. */
    public void wakeAll(Instant dueAt) {
        queues.values().forEach(queue -> queue.wake(dueAt));
    }

    /** Notes that an operator paused or resumed a queue on this node, and wakes its loop. */
    public void pause(String queue, @Nullable QueuePause pause) {
        with(queue, served -> served.pause(pause));
    }

    /** Returns the timers in delivery, of each loop that may deliver. */
    public List<InFlight> deliveries() {
        return started().map(ServedQueue::inFlight).toList();
    }

    /** Returns the health of each queue. */
    public List<QueueHealth> health(Instant now) {
        return queues.values().stream().map(queue -> queue.health(now)).toList();
    }

    /** Returns since when a loop of any queue has been late or stuck; null if none is. */
    @Nullable
    public Instant stuckSince() {
        return queues.values().stream()
                .map(queue -> queue.watch().stuckSince())
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    @Override
    public boolean isLate(String queue, Duration limit) {
        ServedQueue served = queues.get(queue);
        return served != null && served.watch().isLate(limit);
    }

    @Override
    public void vanished(String queue, Lease lapsed) {
        Instant until = lapsed.until();
        if (until != null) {
            with(queue, served -> served.takenOver(lapsed.shard(), until));
        }
    }

    @Override
    public void cameFromOthers(String queue, Set<Integer> shards) {
        with(queue, served -> served.cameFromOthers(shards));
    }

    @Override
    public void acquired(String queue) {
        wake(queue, Instant.MIN);
    }

    @Override
    public void ownsOnly(String queue, Set<Integer> shards) {
        with(queue, served -> served.ownsOnly(shards));
    }

    @Override
    public Set<Integer> inDelivery(String queue) {
        ServedQueue served = queues.get(queue);
        return served == null ? Set.of() : served.shardsInDelivery();
    }
}
