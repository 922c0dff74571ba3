package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.LogContext;
import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settle.OutcomeBytes;
import dev.duetime.engine.settle.OutcomeWriter;
import dev.duetime.engine.todo.OutcomeTransaction.Together;
import dev.duetime.internal.Micros;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.CollisionException;
import dev.duetime.store.DoubtfulException;
import dev.duetime.store.NewTimer;
import dev.duetime.store.RefusedException;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outcomes whose handlers scheduled something that other transactions hold, such as the correlation key of a todo
 * that is merged. A loop of its own writes them when they can be written, so no worker waits, and no handler runs
 * twice. Thread-safe.
 */
final class KeptOutcomes implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(KeptOutcomes.class);

    /** After so many tries in vain a pass ends. The next one begins with other outcomes. */
    private static final int MOST_IN_VAIN = 4;

    /** The same while the queue is being closed, since its shards wait for that. */
    private static final int MOST_IN_VAIN_AT_CLOSE = 1;

    /** How long the loop waits for the first time, and at most: twice as long after each pass in vain. */
    private static final long SHORTEST_REST_NANOS = Duration.ofMillis(250).toNanos();

    private static final long LONGEST_REST_NANOS = Duration.ofSeconds(2).toNanos();

    /** For how long a shard is kept for an outcome from it. Most transactions have ended by then. */
    private static final long KEEPS_SHARD_NANOS = Duration.ofSeconds(5).toNanos();

    private final TodoNode node;
    private final TodoBuffer buffer;
    private final TodoOutcomes outcomes;
    private final HandlerCall call;
    private final OutcomeTransaction together;
    private final OutcomeWriter writer;
    private final ReentrantLock passing = new ReentrantLock();
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock: those that were tried last are at the end.
    private final Map<TimerKey, Kept> kept = new LinkedHashMap<>();

    // Mutable state, guarded by passing: how long the loop waits after a pass in vain, and until when.
    private long restNanos = SHORTEST_REST_NANOS;
    private long restsUntilNanos;

    private volatile Clock.@Nullable Loop loop;

    private record Kept(Together outcome, DoneTodo done, long sinceNanos) {
        Set<Object> keys() {
            return outcome.keys();
        }
    }

    KeptOutcomes(TodoNode node, TodoBuffer buffer, TodoOutcomes outcomes, HandlerSettings settings) {
        this.node = node;
        this.buffer = buffer;
        this.outcomes = outcomes;
        UserCode userCode = new UserCode(buffer::isClosed);
        call = new HandlerCall(node, settings, userCode, new TimeLimit(node.clock(), null));
        together = new OutcomeTransaction(node, buffer, userCode);
        writer = new OutcomeWriter(node.store(), node.clock());
        restsUntilNanos = node.clock().nanoTime();
    }

    void start(String name) {
        // It calls merges, which may take any time.
        loop = node.clock().startPatient(name, this);
    }

    /** Makes the loop try all outcomes. */
    void wake() {
        wakeAt(node.clock().now());
    }

    private void wakeAt(Instant instant) {
        Clock.Loop started = loop;
        if (started != null) {
            started.wakeAt(instant);
        }
    }

    /** Waits for the write under way, at most for the given time. Returns whether it has ended. */
    boolean close(Duration left) {
        Clock.Loop started = loop;
        return started == null || started.close(left);
    }

    /** Keeps an outcome. From here on no worker owns the todo. */
    void keep(Together outcome) {
        boolean whole = false;
        try {
            DoneTodo done = new DoneTodo(outcome.entry(), outcome.last(), null);
            boolean first = add(new Kept(outcome, done, node.clock().nanoTime()));
            // If this breaks off, the worker gives the todo back, and this outcome is forgotten.
            buffer.keep(done, bytes(outcome));
            wakeAt(after(SHORTEST_REST_NANOS));
            if (first) {
                LOG.info(
                        "another transaction holds what the handler of todo {} of queue {} schedules, such as a"
                                + " correlation key; such outcomes are written when it ends",
                        outcome.todo().key(),
                        node.queue().name());
            }
            whole = true;
        } finally {
            if (!whole) {
                // Its recovery wakes this loop.
                buffer.doubt();
            }
        }
    }

    private boolean add(Kept each) {
        lock.lock();
        try {
            boolean first = kept.isEmpty();
            kept.put(each.outcome().todo().key(), each);
            return first;
        } finally {
            lock.unlock();
        }
    }

    private static long bytes(Together outcome) {
        long bytes = StoredTimers.bytes(outcome.todo());
        for (Settlement each : outcome.settlements()) {
            bytes += OutcomeBytes.of(each);
        }
        for (NewTimer each : outcome.own()) {
            bytes += StoredTimers.bytes(each.content());
        }
        return bytes;
    }

    private List<Kept> all() {
        lock.lock();
        try {
            return List.copyOf(kept.values());
        } finally {
            lock.unlock();
        }
    }

    private void remove(Kept each) {
        lock.lock();
        try {
            kept.remove(each.outcome().todo().key(), each);
        } finally {
            lock.unlock();
        }
    }

    /** Lets the others come first the next time. */
    private void triedInVain(Kept each) {
        lock.lock();
        try {
            TimerKey key = each.outcome().todo().key();
            if (kept.remove(key, each)) {
                kept.put(key, each);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the keys of outcomes for which this node does not keep their shards: they have waited long, or the node
     * closes.
     */
    Set<TimerKey> keepingNoShard() {
        long now = node.clock().nanoTime();
        return all().stream()
                .filter(each -> buffer.isClosed() || now - each.sinceNanos() >= KEEPS_SHARD_NANOS)
                .map(each -> each.outcome().todo().key())
                .collect(Collectors.toSet());
    }

    @Override
    public Instant run() {
        LogContext context = LogContext.of(node.queue().name());
        try {
            return tryAll();
        } finally {
            context.close();
        }
    }

    /** It wakes the loops that have work then. */
    @Override
    public Instant idleUntil() {
        return node.clock().now();
    }

    /** Writes what can be written. Returns when to try the rest. While another thread does this, it returns at once. */
    Instant tryAll() {
        if (!passing.tryLock()) {
            return Instant.MAX;
        }
        try {
            long now = node.clock().nanoTime();
            List<Kept> all = all();
            if (all.isEmpty() || (now - restsUntilNanos < 0 && !buffer.isClosed())) {
                return all.isEmpty() ? Instant.MAX : after(restsUntilNanos - now);
            }
            boolean whole = writeAll(all);
            restNanos = whole ? SHORTEST_REST_NANOS : Math.min(LONGEST_REST_NANOS, 2 * restNanos);
            restsUntilNanos = node.clock().nanoTime() + restNanos;
            return all().isEmpty() ? Instant.MAX : after(restNanos);
        } finally {
            passing.unlock();
        }
    }

    private Instant after(long nanos) {
        return Micros.ceil(node.clock().now().plusNanos(nanos));
    }

    /** Returns whether nothing was in the way. */
    private boolean writeAll(List<Kept> all) {
        Set<Object> held = new HashSet<>();
        int inVain = 0;
        for (Kept each : all) {
            if (inVain >= (buffer.isClosed() ? MOST_IN_VAIN_AT_CLOSE : MOST_IN_VAIN)) {
                return false;
            }
            if (!buffer.isRunOf(each.done())) {
                remove(each);
            } else if (Collections.disjoint(held, each.keys()) && !isWritten(each)) {
                held.addAll(each.keys());
                inVain++;
            }
        }
        return inVain == 0;
    }

    /** Returns whether the outcome is written or overtaken; if not, it is tried later. */
    private boolean isWritten(Kept each) {
        Together outcome = each.outcome();
        try (TodoAttempt attempt = new TodoAttempt(outcome.todo(), node.clock().now(), node)) {
            if (!together.writeKept(outcome, attempt.transaction())) {
                overtaken(each);
            }
            remove(each);
            return true;
        } catch (CollisionException e) {
            triedInVain(each);
            return false;
        } catch (RefusedException e) {
            // The database answered, and would refuse a repeat, too.
            return failed(each, e);
        } catch (DoubtfulException e) {
            return writer.takes(outcome.settlements().get(0)) ? failed(each, e) : notNow(each, e);
        } catch (StoreException e) {
            return notNow(each, e);
        } catch (RuntimeException | Error e) {
            UserCode.rethrowFatal(e);
            return failed(each, e);
        }
    }

    private void overtaken(Kept each) {
        node.inFlight().settled(each.outcome().settlements());
        buffer.settled(List.of(each.done()));
        buffer.readAll();
    }

    private boolean notNow(Kept each, StoreException e) {
        LOG.debug(
                "the outcome of todo {} is not written down yet",
                each.outcome().todo().key(),
                ErrorText.traceOf(e));
        triedInVain(each);
        return false;
    }

    /**
     * Keeps the failure of the attempt instead, because a merge threw or the database refused what was scheduled. It is
     * written next.
     */
    private boolean failed(Kept each, Throwable error) {
        Together before = each.outcome();
        if (before.own().isEmpty()) {
            triedInVain(each);
            return false;
        }
        StoredTimer todo = before.todo();
        Instant now = node.clock().now();
        Settlement failure = outcomes.all(todo, before.envelope(), call.failed(todo, error), now)
                .get(0);
        Together failed = new Together(before.entry(), todo, before.envelope(), List.of(failure), List.of(), Set.of());
        DoneTodo done = new DoneTodo(before.entry(), failure, null);
        lock.lock();
        try {
            kept.replace(todo.key(), each, new Kept(failed, done, each.sinceNanos()));
        } finally {
            lock.unlock();
        }
        return true;
    }
}
