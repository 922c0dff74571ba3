package dev.duetime.engine.prompt;

import dev.duetime.Clock;
import dev.duetime.engine.loop.QueueLoops;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.internal.Times;
import dev.duetime.store.NewTimer;
import dev.duetime.store.WakeUp;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The alarm for timers that this node has stored: it wakes the loops of this node for those in its own shards, and
 * sends hints of those that other nodes own and that are due before these nodes poll. Thread-safe.
 */
public final class LoopAlarm {
    private final Map<String, Duration> pollIntervals = new HashMap<>();
    private final Clock clock;
    private final ShardOwner owner;
    private final QueueLoops loops;
    private final WakeUpLoop hints;

    /**
     * Creates the alarm of a node.
     *
     * @param queues the queues that the node knows
     */
    public LoopAlarm(List<QueueSettings> queues, Clock clock, ShardOwner owner, QueueLoops loops, WakeUpLoop hints) {
        queues.forEach(each -> pollIntervals.put(each.name(), each.pollInterval()));
        this.clock = clock;
        this.owner = owner;
        this.loops = loops;
        this.hints = hints;
    }

    /** Raises the alarm for timers that are committed. */
    public void committed(List<NewTimer> timers) {
        raise(timers, loops::wake, loops::wakeUnknown, new HashMap<>());
    }

    /** Raises the alarm for timers whose write failed, because the reply of a commit may have been lost. */
    public void mayBeCommitted(List<NewTimer> timers) {
        raise(timers, loops::wakeUncommitted, this::wakeUnknownUncommitted, new HashMap<>());
    }

    /** Lets the loops of this node poll for timers whose commit nothing tells of. Other nodes get no hint. */
    public void uncommitted(List<NewTimer> timers) {
        raise(timers, loops::wakeUncommitted, this::wakeUnknownUncommitted, null);
    }

    private void wakeUnknownUncommitted(String queue) {
        loops.wakeUncommitted(queue, Instant.MIN);
    }

    /** Raises the alarm for timers of any queues and shards, which an operator has moved to that time. */
    public void anyTimer(Instant dueAt) {
        loops.wakeAll(dueAt);
        pollIntervals.keySet().forEach(queue -> hints.send(new WakeUp(queue, Set.of(), dueAt)));
    }

    /**
     * Wakes the loops at the earliest due time of each queue, and sends hints.
     *
     * @param wake wakes a loop at a time
     * @param wakeUnknown wakes a loop for a timer that may be due since long
     * @param wakeUps collects the hints; null to send none
     */
    private void raise(
            List<NewTimer> timers,
            BiConsumer<String, Instant> wake,
            Consumer<String> wakeUnknown,
            @Nullable Map<String, WakeUp> wakeUps) {
        Instant now = clock.now();
        Map<String, Instant> earliest = new HashMap<>();
        Set<String> unknown = new HashSet<>();
        Map<String, Set<Integer>> owned = new HashMap<>();
        for (NewTimer timer : timers) {
            String queue = timer.content().queue();
            if (owned.computeIfAbsent(queue, owner::owned).contains(timer.shard())) {
                earliest.merge(queue, wakeAt(timer), Times::earlier);
                if (recurs(timer)) {
                    // It may have kept an occurrence that is overdue.
                    unknown.add(queue);
                }
            } else if (wakeUps != null && isDueBeforePoll(timer, now)) {
                wakeUps.merge(queue, new WakeUp(queue, Set.of(timer.shard()), wakeAt(timer)), WakeUp::with);
            }
        }
        earliest.forEach(wake);
        unknown.forEach(wakeUnknown);
        if (wakeUps != null) {
            wakeUps.values().forEach(hints::send);
        }
    }

    /** The transaction of a timer may have lasted long: what counts is the time since its owner can see it. */
    private boolean isDueBeforePoll(NewTimer timer, Instant now) {
        Duration pollInterval = pollIntervals.get(timer.content().queue());
        return pollInterval != null && wakeAt(timer).isBefore(now.plus(pollInterval));
    }

    private static boolean recurs(NewTimer timer) {
        return timer.content().recurrence() != null;
    }

    private static Instant wakeAt(NewTimer timer) {
        return recurs(timer) ? timer.registeredAt() : timer.content().dueAt();
    }
}
