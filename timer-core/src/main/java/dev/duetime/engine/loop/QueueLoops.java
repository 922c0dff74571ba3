package dev.duetime.engine.loop;

import dev.duetime.Clock;
import dev.duetime.admin.QueueHealth;
import dev.duetime.admin.QueuePause;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.store.ShardMap.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the loops of the queues that a node delivers, and wakes them. Queues are added before anything else; then it is
 * thread-safe.
 */
public final class QueueLoops implements ShardOwner.Takeover {
    private static final Logger LOG = LoggerFactory.getLogger(QueueLoops.class);

    /** A loop of a queue that has been late for that long has ended, or gets no time: others shall deliver. */
    private static final Duration LATE = Duration.ofSeconds(30);

    private final Map<String, PollLoop> passes = new LinkedHashMap<>();
    private final Map<String, LoopWatch> watches = new LinkedHashMap<>();

    // Mutable state, written once, when they are started; replaced, never changed.
    private volatile Map<String, Clock.Loop> loops = Map.of();

    public void add(String queue, PollLoop pass, LoopWatch watch) {
        passes.put(queue, pass);
        watches.put(queue, watch);
    }

    public boolean isEmpty() {
        return passes.isEmpty();
    }

    public void start() {
        Map<String, Clock.Loop> running = new LinkedHashMap<>();
        try {
            passes.forEach((queue, pass) -> {
                Clock.Loop loop = Objects.requireNonNull(watches.get(queue)).startPatient("duetime-" + queue, pass);
                running.put(queue, loop);
                pass.start(loop);
            });
        } finally {
            loops = running;
        }
    }

    /** Ends the loops that were started: another one could not be. They can be started again. */
    public void undoStart() {
        loops.forEach((queue, loop) -> {
            Objects.requireNonNull(passes.get(queue)).undoStart();
            loop.close(Duration.ZERO);
        });
        loops = Map.of();
    }

    /** Makes the turns after the running ones do nothing. */
    public void beginClose() {
        passes.values().forEach(PollLoop::close);
    }

    /** Waits for the running turns, each no longer than is left, then interrupts them. */
    public void interrupt(Supplier<Duration> left) {
        loops.forEach((queue, loop) -> {
            Objects.requireNonNull(passes.get(queue)).closeWorkers(left);
            loop.close(left.get());
        });
    }

    /**
     * Tells which loops have ended.
     *
     * @param passes those to be finished
     * @param inPart those whose loops have ended, but not all that delivers beside them
     */
    public record Ended(List<PollLoop> passes, List<PollLoop> inPart) {}

    /** Waits for what was interrupted, no longer than is left; returns what is over. */
    public Ended close(Supplier<Duration> left) {
        List<PollLoop> ended = new ArrayList<>();
        List<PollLoop> inPart = new ArrayList<>();
        loops.forEach((queue, loop) -> {
            PollLoop pass = Objects.requireNonNull(passes.get(queue));
            boolean workersEnded = pass.closeWorkers(left);
            boolean loopEnded = loop.close(left.get());
            if (loopEnded && workersEnded) {
                ended.add(pass);
            } else {
                if (loopEnded) {
                    inPart.add(pass);
                }
                pass.finishAfterTurn();
                LOG.warn("queue {} is still delivering; what is not settled is delivered again", queue);
            }
        });
        return new Ended(ended, inPart);
    }

    /** Makes a queue's loop look for a timer that is due at that time. */
    public void wake(String queue, Instant dueAt) {
        PollLoop pass = passes.get(queue);
        Clock.Loop loop = loops.get(queue);
        if (pass != null && loop != null) {
            pass.announce(dueAt);
            loop.wakeAt(dueAt);
        }
    }

    /** Makes a queue's loop look for a timer whose commit is not seen. */
    public void wakeUncommitted(String queue, Instant dueAt) {
        PollLoop pass = passes.get(queue);
        Clock.Loop loop = loops.get(queue);
        if (pass != null && loop != null) {
            loop.wakeAt(pass.announceUncommitted(dueAt));
        }
    }

    /** Makes all loops look at once. */
    public void wakeAll() {
        loops.keySet().forEach(queue -> wake(queue, Instant.MIN));
    }

    /** Notes that a queue was paused or resumed on this node, and makes its loop look at once. */
    public void told(String queue, @Nullable QueuePause pause) {
        PollLoop pass = passes.get(queue);
        if (pass != null) {
            pass.told(pause);
            wake(queue, Instant.MIN);
        }
    }

    /** Returns what each loop that may deliver has in delivery. */
    public List<InFlight> deliveries() {
        return loops.keySet().stream()
                .map(queue -> Objects.requireNonNull(passes.get(queue)).inFlight())
                .toList();
    }

    public List<QueueHealth> health(Instant now) {
        return passes.values().stream().map(pass -> pass.health(now)).toList();
    }

    /** Returns since when a loop of any queue has been late or stuck; null if none is. */
    @Nullable
    public Instant stuckSince() {
        return watches.values().stream()
                .map(LoopWatch::stuckSince)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    @Override
    public boolean isLate(String queue) {
        LoopWatch watch = watches.get(queue);
        return watch != null && watch.isLate(LATE);
    }

    @Override
    public void vanished(String queue, Lease lapsed) {
        PollLoop pass = passes.get(queue);
        Instant until = lapsed.until();
        if (pass != null && until != null) {
            pass.takenOver(lapsed.shard(), until);
        }
    }

    @Override
    public void acquired(String queue) {
        wake(queue, Instant.MIN);
    }

    @Override
    public void ownsOnly(String queue, Set<Integer> shards) {
        PollLoop pass = passes.get(queue);
        if (pass != null) {
            pass.ownsOnly(shards);
        }
    }

    @Override
    public Set<Integer> inDelivery(String queue) {
        PollLoop pass = passes.get(queue);
        return pass == null ? Set.of() : pass.shardsInDelivery();
    }
}
