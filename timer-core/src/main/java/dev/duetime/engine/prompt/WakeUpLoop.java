package dev.duetime.engine.prompt;

import dev.duetime.Clock;
import dev.duetime.engine.loop.QueueLoops;
import dev.duetime.engine.report.Availability;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.engine.time.LeftOutTurns;
import dev.duetime.engine.time.StoreClock;
import dev.duetime.internal.EndSteps;
import dev.duetime.internal.Times;
import dev.duetime.internal.UserCode;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hints between nodes: it sends those of this node, and wakes the loops of this node for those of others. A node
 * that only schedules has no loop until its first hint. Thread-safe.
 */
public final class WakeUpLoop implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(WakeUpLoop.class);

    private final WakeUps wakeUps;
    private final Clock clock;
    private final ShardOwner owner;
    private final QueueLoops loops;
    private final WakeUpSender sender;
    private final WakeUpPoll poll;
    private Consumer<Instant> watched = until -> {};
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock; any thread reads the volatile fields.
    private volatile Clock.@Nullable Loop loop;
    private Clock.@Nullable Loop receiving;
    private volatile @Nullable PushedWakeUps pushed;
    private volatile boolean closed;

    /** Whether this node delivers, and so wants the hints of others. */
    private volatile boolean delivers;

    /** Whether to poll once more: hints may have been sent just before the store began to push them. */
    private volatile boolean pollsOnce;

    /** Whether the last turn found nothing to do. Used by the loop's thread. */
    private boolean idle;

    public WakeUpLoop(NodeSettings node, WakeUps wakeUps, Clock clock, ShardOwner owner, QueueLoops loops) {
        this.wakeUps = wakeUps;
        this.clock = clock;
        this.owner = owner;
        this.loops = loops;
        sender = new WakeUpSender(wakeUps, clock);
        Outage outage = new Outage(node.listeners().availability(Availability.STORE), node.random());
        poll = new WakeUpPoll(wakeUps, clock, outage, loops::wake, time -> watched.accept(time), owner.news()::hint);
        if (wakeUps.areKept()) {
            owner.onChange((queue, shards) -> send(WakeUp.ofShards(queue, shards)));
        }
    }

    /** Begins to receive the hints of other nodes. Only the time of a store passes while its receiver waits. */
    public void start(Clock watched) {
        lock.lock();
        try {
            delivers = true;
            if (clock instanceof StoreClock) {
                PushedWakeUps receiver = new PushedWakeUps(wakeUps, clock, this::received, this::pollOnce);
                pushed = receiver;
                receiving = watched.start("duetime-hints-received", receiver);
            }
            startLoop();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the loops that were started. They can be started again. */
    public void undoStart() {
        delivers = false;
        EndSteps.all(List.of(() -> stop(() -> Duration.ZERO), this::endReceiver));
    }

    private Clock.Loop startLoop() {
        Clock.Loop running = loop;
        if (running == null) {
            running = clock.start("duetime-hints", this);
            loop = running;
        }
        return running;
    }

    /** Sends a hint soon. It is lost if this node dies before, or after it is closed. */
    public void send(WakeUp wakeUp) {
        if (!wakeUps.areKept()) {
            return;
        }
        boolean first = sender.add(wakeUp);
        Clock.Loop running = loop;
        if (running == null) {
            startToSend();
        } else if (first) {
            running.wakeAt(Instant.MIN);
        }
    }

    /** Starts the loop, which sends at once. The timers are stored: no failure may reach their caller. */
    private void startToSend() {
        lock.lock();
        try {
            if (!closed) {
                startLoop().wakeAt(Instant.MIN);
            }
        } catch (RuntimeException | Error e) {
            // No memory for a thread, or the user's thread factory has failed.
            UserCode.rethrowFatal(e);
            LOG.debug("there is no thread to send hints to other nodes: {}", ErrorText.of(e));
        } finally {
            lock.unlock();
        }
    }

    /** Sets the receiver of the time until which samples are watched. Must be called before the start. */
    public void onWatched(Consumer<Instant> until) {
        watched = until;
    }

    private void received(WakeUp wakeUp) {
        if (wakeUp.queue().equals(WakeUps.WATCHED)) {
            watched.accept(wakeUp.dueAt());
        } else if (wakeUp.isOfShards()) {
            owner.news().hint();
        } else if (wakeUp.shards().isEmpty() || owns(wakeUp)) {
            loops.wake(wakeUp.queue(), wakeUp.dueAt());
        }
    }

    private boolean owns(WakeUp wakeUp) {
        Set<Integer> owned = owner.owned(wakeUp.queue());
        return wakeUp.shards().stream().anyMatch(owned::contains);
    }

    private void pollOnce() {
        pollsOnce = true;
        Clock.Loop running = loop;
        if (running != null) {
            running.wakeAt(Instant.MIN);
        }
    }

    @Override
    public Instant run() {
        boolean sends = !sender.isEmpty();
        Instant sendAt = sender.send();
        Instant pollAt = polls() ? poll.poll() : Instant.MAX;
        if (pollsOnce) {
            pollsOnce = false;
            pollAt = poll.pollNow();
        }
        idle = !sends && sender.isEmpty() && (!polls() || poll.isIdle());
        return Times.earlier(sendAt, pollAt);
    }

    private boolean polls() {
        PushedWakeUps receiver = pushed;
        return delivers && (receiver == null || !receiver.isReceiving());
    }

    @Override
    public Instant idleUntil() {
        return idle ? LeftOutTurns.FAR : Instant.MIN;
    }

    /** It reads hints only. */
    @Override
    public Set<String> queuesRead() {
        return Set.of();
    }

    @Override
    public Instant leftOut() {
        poll.leftOut();
        return polls() ? poll.poll() : Instant.MAX;
    }

    /**
     * Ends the loops, without a call of the store: it may hang. The other steps are those of {@link #finish}.
     *
     * @param left returns how much of the time for all loops together is left
     */
    public void close(Supplier<Duration> left) {
        closed = true;
        stop(left);
    }

    private void stop(Supplier<Duration> left) {
        lock.lock();
        try {
            EndSteps.all(List.of(() -> receiving = ended(receiving, left), () -> loop = ended(loop, left)));
        } finally {
            lock.unlock();
        }
    }

    /** Ends a loop, if there is one. Returns that there is none. */
    private static Clock.@Nullable Loop ended(Clock.@Nullable Loop loop, Supplier<Duration> left) {
        if (loop != null) {
            loop.close(left.get());
        }
        return null;
    }

    private void endReceiver() {
        PushedWakeUps receiver;
        lock.lock();
        try {
            receiver = pushed;
            pushed = null;
        } finally {
            lock.unlock();
        }
        if (receiver != null) {
            receiver.close();
        }
    }

    /** Sends the last hints of a node that closes, and ends what receives those of others. The store may hang. */
    public void finish() {
        EndSteps.all(List.of(sender::sendNow, this::endReceiver));
    }
}
