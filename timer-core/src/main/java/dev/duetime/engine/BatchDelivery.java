package dev.duetime.engine;

import dev.duetime.Clock;
import dev.duetime.Envelope;
import dev.duetime.OngoingOutage;
import dev.duetime.StoredTimer;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Expires or delivers a batch of due timers and settles what became of them. Used by one thread. */
final class BatchDelivery {
    /** Higher priority first, then the oldest. */
    private static final Comparator<StoredTimer> DELIVERY_ORDER = Comparator.comparingInt(
                    (StoredTimer each) -> each.content().priority())
            .reversed()
            .thenComparing(StoredTimer::dueAt)
            .thenComparing(BatchDelivery::since)
            .thenComparing(StoredTimer::key);

    /** Recurring timers of one time go by their keys, whichever of them was scheduled anew last. */
    private static Instant since(StoredTimer timer) {
        return timer.content().recurrence() == null ? timer.registeredAt() : Instant.MIN;
    }

    /** How long rows that are just being cancelled are left alone before the next look. */
    private static final Duration WHILE_CANCELLING = Duration.ofMillis(10);

    /**
     * In an outage four batches are read: further back there may be something that gets through. While expired timers are
     * cleared as well, since they cost little. Bounds memory.
     */
    private static final int MOST_DOUBLINGS = 2;

    private final NodeSettings node;
    private final QueueSettings queue;
    private final Clock clock;
    private final ShardOwner owner;
    private final InFlight inFlight = new InFlight();
    private final LostAttempts lostAttempts;
    private final Delivery delivery;
    private final UnreadableRows unreadable;
    private final CatchingUp catchingUp;
    private final Outcomes outcomes;
    private final Settler settler;
    private final Outage outage;

    /** How many batches in a row were for the greater part over. */
    private int clearing;

    /** Where the timers come from that may be in delivery; written by the loop's thread. */
    private volatile Set<Integer> shards = Set.of();

    BatchDelivery(QueueSettings queue, NodeSettings node, ScheduleStore store, Clock clock, ShardOwner owner) {
        Listeners listeners = node.listeners();
        this.node = node;
        this.queue = queue;
        this.clock = clock;
        this.owner = owner;
        lostAttempts = new LostAttempts(store);
        unreadable = new UnreadableRows(store, queue.name(), listeners);
        delivery = new Delivery(
                Objects.requireNonNull(queue.publisher(), "publisher"),
                queue.retries()::speaksForItself,
                node.random());
        Occurrences occurrences = new Occurrences(new Generations(node.random()));
        catchingUp = new CatchingUp(occurrences, listeners);
        outcomes = new Outcomes(queue, listeners, node.random(), occurrences);
        settler = new Settler(store, inFlight, queue.name(), listeners);
        outage = new Outage(listeners.availability("publisher of queue " + queue.name()), node.random());
    }

    InFlight inFlight() {
        return inFlight;
    }

    /** Returns the publisher's failures in a row, if nothing got through the last time. */
    @Nullable
    OngoingOutage publisherOutage() {
        return outage.ongoing();
    }

    LostAttempts lostAttempts() {
        return lostAttempts;
    }

    /** Returns the shards from which timers may be in delivery: being read, or read and not settled. */
    Set<Integer> shards() {
        return shards;
    }

    /** Begins to read: what this read returns and {@code cancel} has not named since may be delivered. */
    void beginRead() {
        inFlight.beginRead();
    }

    /** Ends what {@link #beginRead} began, whether or not anything was read. */
    void endRead() {
        inFlight.endRead();
    }

    /**
     * Returns which of the shards may be read. First it is told that they are in delivery, then asked whether they are owned:
     * who gives a shard back stops owning it first and asks for deliveries then.
     */
    Set<Integer> claim(Set<Integer> wanted) {
        shards = wanted;
        Set<Integer> owned = owner.owned(queue.name());
        Set<Integer> claimed = wanted.stream().filter(owned::contains).collect(Collectors.toUnmodifiableSet());
        lostAttempts.beginRead(claimed);
        return claimed;
    }

    /** Returns how many rows to read: more than a batch in an outage, and while there is much to clear. */
    int readLimit() {
        int doublings = Math.min(Math.max(outage.failures(), clearing), MOST_DOUBLINGS);
        return (queue.batchSize() << doublings) + unreadable.staying();
    }

    /** Returns whether the last read met rows that stay due though nobody can do anything with them. */
    boolean metUnreadable() {
        return unreadable.staying() > 0;
    }

    /** Settles what an earlier batch could not. */
    void settleOpen() {
        settler.flush();
        shards = Set.of();
    }

    /**
     * Ends what has expired or used up its attempts, or moves it on, which never waits for the publisher, then delivers the
     * others. A
     * read that is over for the greater part only clears, so that neither a backlog of expired timers moves at the
     * publisher's pace nor batches are published that are nearly empty.
     *
     * @param publishing run before the publisher is called, if it is
     * @return until when to leave the queue alone: {@link Instant#MIN} but in an outage
     */
    Instant deliver(DueTimers due, Instant now, Runnable publishing) throws InterruptedException {
        unreadable.end(due.undecodable(), now);
        List<StoredTimer> counted = lostAttempts.count(due.timers(), due.more());
        shards = counted.stream().map(StoredTimer::shard).collect(Collectors.toUnmodifiableSet());
        List<StoredTimer> begun = inFlight.begin(stillOwned(counted));
        List<StoredTimer> valid = new ArrayList<>(begun.size());
        catchingUp.begin();
        for (StoredTimer timer : begun) {
            Settlement instead = catchingUp.instead(timer, now);
            if (instead != null) {
                settler.add(instead);
            } else if (timer.isExpired(now)) {
                settler.add(outcomes.expired(timer, now));
            } else if (outcomes.isExhausted(timer)) {
                settler.add(outcomes.exhausted(timer, now));
            } else {
                valid.add(timer);
            }
        }
        int over = begun.size() - valid.size();
        dropWaiting(valid);
        boolean clear = due.more() && over > valid.size();
        clearing = clear ? clearing + 1 : 0;
        List<Settlement> settlements = new ArrayList<>(valid.size());
        Instant pausedUntil = Instant.MIN;
        try {
            if (over > 0) {
                settler.flush();
                dropLost(valid);
            }
            if (!clear && !valid.isEmpty()) {
                publishing.run();
                pausedUntil = publish(valid, now, settlements);
            }
        } catch (Throwable e) {
            inFlight.end(valid);
            shards = Set.of();
            throw e;
        }
        if (clear) {
            inFlight.end(valid);
        }
        settler.add(settlements);
        settleOpen();
        boolean cancelling = begun.isEmpty() && !due.timers().isEmpty();
        return cancelling ? now.plus(WHILE_CANCELLING) : pausedUntil;
    }

    private void dropWaiting(List<StoredTimer> valid) {
        List<StoredTimer> waiting = valid.stream().filter(catchingUp::mustWait).toList();
        if (!waiting.isEmpty()) {
            inFlight.end(waiting);
            valid.removeIf(catchingUp::mustWait);
        }
    }

    /** The read may have taken longer than the lease, or the process was paused after it: others deliver these. */
    private List<StoredTimer> stillOwned(List<StoredTimer> read) {
        Set<Integer> owned = owner.owned(queue.name());
        return read.stream().filter(each -> owned.contains(each.shard())).toList();
    }

    /** Settling may have taken longer than the lease as well. */
    private void dropLost(List<StoredTimer> valid) {
        Set<Integer> owned = owner.owned(queue.name());
        inFlight.end(
                valid.stream().filter(each -> !owned.contains(each.shard())).toList());
        valid.removeIf(each -> !owned.contains(each.shard()));
    }

    private Instant publish(List<StoredTimer> timers, Instant now, List<Settlement> settlements)
            throws InterruptedException {
        timers.subList(0, Math.min(timers.size(), queue.batchSize())).sort(DELIVERY_ORDER);
        List<Envelope> batch = timers.stream()
                .map(each -> each.envelope(each.attempt() + 1, now, node.codec()))
                .toList();
        int size = Math.min(batch.size(), queue.batchSize());
        Delivery.Result result =
                delivery.publish(batch.subList(0, size), batch.subList(size, batch.size()), outage.failures() == 0);
        Instant after = clock.now();
        List<StoredTimer> untouched = new ArrayList<>();
        boolean gaveUp = result.isOutage();
        for (int i = 0; i < batch.size(); i++) {
            StoredTimer timer = timers.get(i);
            Envelope envelope = batch.get(i);
            Throwable failure = result.failed.get(envelope.id());
            if (result.delivered.contains(envelope.id())) {
                settlements.add(outcomes.delivered(timer, envelope, after));
            } else if (failure != null) {
                settlements.add(outcomes.failed(timer, envelope, failure, after));
            } else {
                untouched.add(timer);
                gaveUp |= i < size;
            }
        }
        inFlight.end(untouched);
        if (!result.isOutage()) {
            outage.over(after);
        }
        Throwable error = result.error;
        // What lies beyond the batch is left alone in any case.
        return error == null || !gaveUp || untouched.isEmpty() ? Instant.MIN : outage.failed(error, after);
    }
}
