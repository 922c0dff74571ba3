package dev.duetime.engine.prompt;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.store.CollisionException;
import dev.duetime.store.DoubtfulException;
import dev.duetime.store.RefusedException;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hints of this node that are to be sent. Hints of one queue become one. At most 20 times a second all of them are
 * sent, in a transaction of their own and never in the thread of a caller. Thread-safe.
 */
final class WakeUpSender {
    private static final Logger LOG = LoggerFactory.getLogger(WakeUpSender.class);

    /** The shortest time between two transactions that send hints. */
    static final Duration BETWEEN = Duration.ofMillis(50);

    /** After a failure it takes longer: the hints that could not be sent wait, and new ones join them. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final WakeUps wakeUps;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private Map<String, WakeUp> waiting = new TreeMap<>();
    /** The hints at shards: a receiver must tell them from the others. */
    private Map<String, WakeUp> ofShards = new TreeMap<>();

    private long notBeforeNanos;

    WakeUpSender(WakeUps wakeUps, Clock clock) {
        this.wakeUps = wakeUps;
        this.clock = clock;
        notBeforeNanos = clock.nanoTime();
    }

    /** Adds a hint. Returns whether it is the first one that waits. */
    boolean add(WakeUp wakeUp) {
        lock.lock();
        try {
            boolean first = waiting.isEmpty() && ofShards.isEmpty();
            merge(wakeUp);
            return first;
        } finally {
            lock.unlock();
        }
    }

    private void merge(WakeUp wakeUp) {
        (wakeUp.isOfShards() ? ofShards : waiting).merge(wakeUp.queue(), wakeUp, WakeUp::with);
    }

    /** Sends what waits, unless that is too soon. Returns when to call again; {@link Instant#MAX} if nothing waits. */
    Instant send() {
        long wait = notBeforeNanos() - clock.nanoTime();
        if (wait > 0) {
            return isEmpty() ? Instant.MAX : clock.now().plusNanos(wait);
        }
        return sendNow();
    }

    /** Sends what waits at once, because this node closes. A failure is ignored: the poll finds the timers. */
    Instant sendNow() {
        List<WakeUp> taken = take();
        if (taken.isEmpty()) {
            return Instant.MAX;
        }
        List<WakeUp> unsent = taken;
        try {
            // At most one for each queue at a time.
            List<WakeUp> held = new ArrayList<>(
                    sendAll(taken.stream().filter(each -> !each.isOfShards()).toList()));
            held.addAll(sendAll(taken.stream().filter(WakeUp::isOfShards).toList()));
            unsent = held;
        } catch (StoreException | OutOfMemoryError e) {
            LOG.trace("hints to other nodes were not sent; retrying: {}", ErrorText.of(e));
        } finally {
            // Also if something else was thrown: no hint is lost before the loop tries again.
            putBack(unsent);
        }
        return unsent.isEmpty() ? Instant.MAX : clock.now().plus(AFTER_FAILURE);
    }

    /** Sends hints, all at once if it can. Returns those that cannot be written now. */
    private List<WakeUp> sendAll(List<WakeUp> hints) {
        List<WakeUp> held = new ArrayList<>();
        if (!hints.isEmpty() && !isSent(hints)) {
            for (WakeUp each : hints) {
                if (hints.size() == 1 || !isSent(List.of(each))) {
                    held.add(each);
                }
            }
        }
        return held;
    }

    private boolean isSent(List<WakeUp> hints) {
        try {
            wakeUps.send(hints);
            return true;
        } catch (CollisionException | RefusedException | DoubtfulException e) {
            LOG.trace("some hints cannot be written now; retrying: {}", ErrorText.of(e));
            return false;
        }
    }

    private List<WakeUp> take() {
        lock.lock();
        try {
            List<WakeUp> taken = new ArrayList<>(waiting.values());
            taken.addAll(ofShards.values());
            waiting = new TreeMap<>();
            ofShards = new TreeMap<>();
            notBeforeNanos = clock.nanoTime() + (taken.isEmpty() ? 0 : BETWEEN.toNanos());
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void putBack(List<WakeUp> unsent) {
        if (unsent.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            unsent.forEach(this::merge);
            notBeforeNanos = clock.nanoTime() + AFTER_FAILURE.toNanos();
        } finally {
            lock.unlock();
        }
    }

    private long notBeforeNanos() {
        lock.lock();
        try {
            return notBeforeNanos;
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return waiting.isEmpty() && ofShards.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
