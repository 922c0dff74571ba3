package dev.duetime.engine.loop;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.admin.QueueHealth;
import dev.duetime.admin.QueuePause;
import dev.duetime.engine.report.Availability;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.report.LogContext;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.settings.NodeSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.shards.ShardOwner;
import dev.duetime.engine.time.LeftOutTurns;
import dev.duetime.internal.Times;
import dev.duetime.listener.PolledBatch;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Is one turn of a queue's loop: own shards, read a batch that is due, expire or deliver it, settle, and say when to
 * come again. Run by one thread; {@link #announce} by any.
 */
public final class PollLoop implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);

    private final QueueSettings queue;
    private final ScheduleStore store;
    private final Clock clock;
    private final ShardOwner owner;
    private final QueueDelivery delivery;
    private final CommitHints hints;
    private final Listeners listeners;
    private final Outage storeOutage;
    private final LoopVitals vitals = new LoopVitals();
    private final PauseFlag pauseFlag;
    private final AtomicReference<Instant> announced = new AtomicReference<>(Instant.MIN);

    /** No timer is due before this, as far as the loop's thread knows. */
    private Instant nextDue = Instant.MAX;

    /**
     * What is due by then and not delivered cannot be, for one look or as long as the delivery says: only later timers
     * count.
     */
    private Instant passedOver = Instant.MIN;

    /** Both must be to come for the queue to be left alone: the time may be set back, the count is not. */
    private Instant pausedUntil = Instant.MIN;

    private long pausedUntilNanos;

    /** When to ask again whether the queue is paused, however busy the loop is. */
    private long askAtNanos;

    /** The same while there is no room; nothing else makes the loop ask then. */
    private Instant askAt = Instant.MAX;

    /** Until when polls find nothing, as the last turn found out; if it did nothing else. */
    private Instant idleUntil = Instant.MIN;

    /** When the last turn of that kind was, and how long after it the next one is. */
    private Instant polledAt = Instant.MIN;

    private Duration idleEvery = Duration.ZERO;

    private volatile boolean closing;
    private volatile boolean finishing;

    public PollLoop(
            QueueSettings queue,
            NodeSettings node,
            ScheduleStore store,
            Clock clock,
            ShardOwner owner,
            QueueDelivery delivery) {
        this.queue = queue;
        this.store = store;
        this.clock = clock;
        this.owner = owner;
        this.delivery = delivery;
        pauseFlag = delivery.pauseFlag();
        hints = new CommitHints(queue.pollInterval());
        listeners = node.listeners();
        storeOutage = new Outage(node.listeners().availability(Availability.STORE), node.random());
        askAtNanos = clock.nanoTime();
    }

    /** Makes a turn at that time or later read what is due. */
    void announce(Instant dueAt) {
        announced.accumulateAndGet(dueAt, Times::earlier);
    }

    /** Makes turns look for a timer whose commit is not seen; returns when the first one should. */
    Instant announceUncommitted(Instant dueAt) {
        return hints.add(dueAt, clock.now());
    }

    /** Returns what this loop has in delivery. */
    public InFlight inFlight() {
        return delivery.inFlight();
    }

    /** Returns the shards from which timers may be in delivery. */
    Set<Integer> shardsInDelivery() {
        return delivery.shards();
    }

    /** Returns whether the queue is paused; written by any thread. */
    PauseFlag pauseFlag() {
        return pauseFlag;
    }

    /** Returns how this loop fares. Called by any thread. */
    QueueHealth health(Instant now) {
        return new QueueHealth(
                queue.name(),
                owner.owned(queue.name()).size(),
                inFlight().size(),
                vitals.lastPoll(),
                vitals.oldestDue(now),
                vitals.turnSince(),
                storeOutage.ongoing(),
                delivery.publisherOutage(),
                pauseFlag.pause(),
                owner.whyNoShards(queue.name()));
    }

    /** Notes that a shard was taken over from a node whose lease ran out. */
    void takenOver(int shard, Instant leaseEnded) {
        delivery.lostAttempts().takenOver(shard, leaseEnded);
    }

    /** Stops what runs on shards that this node has lost. Called by any thread. */
    void ownsOnly(Set<Integer> shards) {
        delivery.ownsOnly(shards);
    }

    /** Starts what delivers beside the loop, if anything does. */
    void start(Clock.Loop loop) {
        delivery.start(dueAt -> {
            announce(dueAt);
            loop.wakeAt(dueAt.equals(Instant.MAX) ? clock.now() : dueAt);
        });
    }

    /** Notes that the queue was paused or resumed on this node: nothing begins once this has returned for a pause. */
    public void told(@Nullable QueuePause pause) {
        pauseFlag.told(pause);
        if (pause != null) {
            delivery.paused(true);
        }
    }

    /** Ends what was started to deliver beside the loop, which can be started again. */
    void undoStart() {
        delivery.undoStart();
    }

    /** Makes the turns after the running one do nothing. */
    void close() {
        closing = true;
        delivery.beginClose();
    }

    /** Waits for what delivers beside the loop, no longer than is left; returns whether it has ended. */
    boolean closeWorkers(Supplier<Duration> left) {
        return delivery.closeWorkers(left);
    }

    /** Writes down what is open and gives the shards back, after the last turn; returns whether the store took it. */
    public boolean finish() {
        try {
            delivery.settleOpen();
            owner.release(queue.name());
            return true;
        } catch (StoreException e) {
            LOG.warn(
                    "shards of queue {} were not released and move when their lease ends: {}",
                    queue.name(),
                    ErrorText.of(e));
            return false;
        }
    }

    /** Writes down what is open, as far as the store takes it: others repeat the rest. */
    public void settleRest() {
        try {
            delivery.settleOpen();
        } catch (StoreException e) {
            LOG.warn("outcomes of queue {} were not written down, and are repeated: {}", queue.name(), ErrorText.of(e));
        }
    }

    /** Makes the running turn finish by itself, since nobody waits for it. */
    void finishAfterTurn() {
        finishing = true;
    }

    @Override
    public Instant run() throws InterruptedException {
        LogContext context = LogContext.of(queue.name());
        vitals.turnBegins(clock.now());
        try {
            return turn();
        } finally {
            delivery.endRead();
            vitals.turnEnds();
            if (finishing) {
                finishing = false;
                finish();
            }
            context.close();
        }
    }

    /** Until the next timer is due a turn only asks the store again. */
    @Override
    public Instant idleUntil() {
        return idleUntil;
    }

    @Override
    public Instant leftOut() {
        Instant now = clock.now();
        long polled = clock.nanoTime() - Duration.between(polledAt, now).toNanos();
        long last = LeftOutTurns.last(polled, idleEvery, clock);
        if (last > polled) {
            polledAt = LeftOutTurns.at(last, clock);
            askAtNanos = last + queue.pollInterval().toNanos();
            vitals.polled(polledAt, nextDue.equals(Instant.MAX) ? null : nextDue);
        }
        return Times.earlier(nextDue, polledAt.plus(idleEvery));
    }

    private Instant turn() throws InterruptedException {
        idleUntil = Instant.MIN;
        Instant look = delivery.nextLook();
        if (closing) {
            settleRest();
            return Instant.MAX;
        }
        delivery.beginRead();
        if (isPaused()) {
            return wakeInOutage(look);
        }
        try {
            if (!delivery.isSettling()) {
                delivery.settleOpen();
            }
            if (deliverDue()) {
                return clock.now();
            }
            if (delivery.isSettling()) {
                delivery.settleOpen();
            }
            storeOutage.over(clock.now());
            return nextLook();
        } catch (StoreException | OutOfMemoryError e) {
            nextDue = Instant.MIN;
            pause(storeOutage.failed(e, clock.now()));
            return wakeInOutage(look);
        } catch (RuntimeException | Error e) {
            // Whatever was read is read again.
            nextDue = Instant.MIN;
            throw e;
        }
    }

    /** Delivers a batch if one is due, else asks when the next one is; returns whether to look again at once. */
    private boolean deliverDue() throws InterruptedException {
        Set<Integer> shards = owner.owned(queue.name());
        Instant now = clock.now();
        askAt = Instant.MAX;
        if (shards.isEmpty()) {
            vitals.ownsNothing();
            askAtNanos = clock.nanoTime();
            return lookAfresh();
        }
        delivery.paused(pauseFlag.pause() != null);
        if (!delivery.hasRoom()) {
            return leaveAlone(shards, now);
        }
        Instant news = announced.getAndSet(Instant.MAX);
        delivery.announced(news);
        if (delivery.readsAgain()) {
            passedOver = Instant.MIN;
            news = Instant.MIN;
        }
        nextDue = Times.earlier(nextDue, news);
        boolean asks = nextDue.isAfter(now) || clock.nanoTime() - askAtNanos >= 0;
        if (asks) {
            nextDue = ask(shards, now);
        }
        delivery.paused(pauseFlag.pause() != null);
        if (pauseFlag.pause() != null) {
            return lookAfresh();
        }
        if (asks) {
            return !nextDue.isAfter(now);
        }
        Set<Integer> claimed = delivery.claim(shards);
        if (claimed.isEmpty()) {
            return true;
        }
        long began = clock.nanoTime();
        DueTimers due = read(claimed, now);
        if (!owner.owned(queue.name()).containsAll(claimed)) {
            // The process slept meanwhile, beyond its lease: the rows may be somebody else's.
            nextDue = Instant.MIN;
            return true;
        }
        vitals.polled(now, due.timers().isEmpty() ? null : due.timers().get(0).wakeAt());
        nextDue = delivery.readsOn(due) ? now : Instant.MAX;
        // Over before the publisher is called, which may take long; but not before what comes first is written, or a
        // store that reads and does not write would be back and away again in each turn.
        pause(delivery.deliver(due, () -> storeOutage.over(clock.now())));
        storeOutage.over(clock.now());
        passedOver = delivery.passesOver(due) ? now : Instant.MIN;
        Duration took = Duration.ofNanos(clock.nanoTime() - began);
        listeners.polled(new PolledBatch(queue.name(), due.timers().size(), took));
        return true;
    }

    /** A read that fails may have been too large, and is made smaller the next time. */
    private DueTimers read(Set<Integer> claimed, Instant now) {
        boolean done = false;
        try {
            DueTimers due = store.due(delivery.read(claimed, now));
            done = true;
            return due;
        } finally {
            if (!done) {
                delivery.readFailed();
            }
        }
    }

    private void pause(Instant until) {
        pausedUntil = until;
        Instant now = clock.now();
        pausedUntilNanos = clock.nanoTime()
                + (until.isAfter(now) ? Duration.between(now, until).toNanos() : 0);
    }

    /** What the delivery wants to do by now waits for the end of the outage: else the loop would never let time pass. */
    private Instant wakeInOutage(Instant look) {
        return look.isAfter(clock.now()) ? Times.earlier(pausedUntil, look) : pausedUntil;
    }

    private boolean isPaused() {
        return clock.now().isBefore(pausedUntil) && clock.nanoTime() - pausedUntilNanos < 0;
    }

    /** Asks when the next timer is due, and, with the same statement, whether the queue is paused. */
    private Instant ask(Set<Integer> shards, Instant now) {
        passedOver = delivery.stillPassesOver(false) ? passedOver : Instant.MIN;
        Instant wakeAt = pauseFlag
                .read(() -> store.nextDue(queue.name(), shards, passedOver))
                .wakeAt();
        passedOver = delivery.stillPassesOver(true) ? passedOver : Instant.MIN;
        vitals.polled(now, wakeAt);
        askAtNanos = clock.nanoTime() + queue.pollInterval().toNanos();
        return wakeAt == null ? Instant.MAX : wakeAt;
    }

    /** Reads nothing while there is no room for it, but notices all the same that the queue is paused. */
    private boolean leaveAlone(Set<Integer> shards, Instant now) {
        if (clock.nanoTime() - askAtNanos >= 0) {
            ask(shards, now);
            delivery.paused(pauseFlag.pause() != null);
        }
        askAt = now.plusNanos(Math.max(0, askAtNanos - clock.nanoTime()));
        announce(nextDue);
        nextDue = Instant.MAX;
        return false;
    }

    /** Delivers nothing now, and lets the next turn that may deliver read what is due. */
    private boolean lookAfresh() {
        announce(Instant.MIN);
        nextDue = Instant.MAX;
        return false;
    }

    private Instant nextLook() {
        Instant now = clock.now();
        if (isPaused()) {
            nextDue = Instant.MIN;
            return pausedUntil;
        }
        Instant hinted = hints.next(now);
        Instant poll = Times.earlier(delivery.nextLook(), now.plus(queue.pollInterval()));
        boolean onlyPolls = now.equals(vitals.lastPoll())
                && nextDue.isAfter(now)
                && hinted.equals(Instant.MAX)
                && askAt.equals(Instant.MAX)
                && Instant.MAX.equals(announced.get())
                && passedOver.equals(Instant.MIN)
                && delivery.shards().isEmpty()
                && inFlight().size() == 0;
        if (onlyPolls && poll.isAfter(now)) {
            idleUntil = Times.earlier(nextDue, LeftOutTurns.FAR);
            polledAt = now;
            idleEvery = Duration.between(now, poll);
        }
        return Times.earlier(nextDue, Times.earlier(hinted, Times.earlier(askAt, poll)));
    }
}
