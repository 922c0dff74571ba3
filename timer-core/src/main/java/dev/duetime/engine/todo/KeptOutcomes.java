package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.Envelope;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.loop.TimeLimit;
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
import dev.duetime.store.OwnTransaction;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** For how long the last pass begins tries: the close waits for it. */
    private static final Duration LAST_PASS = Duration.ofSeconds(1);

    /** So many collisions in a row that show at once, and are no wait for others, make a failed attempt. */
    private static final int MOST_COLLISIONS = 10;

    /** An outcome that is kept for longer is worth a warning. */
    private static final long LONG_NANOS = Duration.ofMinutes(1).toNanos();

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

    /** An outcome that is kept. Used by the thread of a pass, after {@link #keep}. */
    private static final class Kept {
        Together outcome;
        DoneTodo first;
        final long sinceNanos;

        /** Whether the outcome is the failure of the attempt to write another one. */
        boolean isFailure;

        /** Whether something was in the way of the last try. */
        boolean inVain;

        int collisions;
        boolean warned;

        Kept(Together outcome, long sinceNanos) {
            this.outcome = outcome.kept();
            first = this.outcome.first();
            this.sinceNanos = sinceNanos;
        }

        TimerKey key() {
            return outcome.todo().key();
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

    /** Ends the loop before anything is kept. It can be started again. */
    void undoStart() {
        close(() -> Duration.ZERO);
        loop = null;
    }

    /**
     * Waits for the write under way, at most for the given time, and then tries once more what is left, for a second at
     * most. Returns whether all of that has ended.
     */
    boolean close(Supplier<Duration> left) {
        Clock.Loop started = loop;
        if (started != null && !started.close(left.get())) {
            return false;
        }
        return all().isEmpty()
                || hasEnded(node.clock().run("duetime-" + node.queue().name() + "-last", this::tryAll), left.get());
    }

    /** A merge may hang. So another thread makes the last try. */
    private boolean hasEnded(Future<?> last, Duration left) {
        try {
            last.get(left.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            last.cancel(true);
            return false;
        } catch (InterruptedException e) {
            last.cancel(true);
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            LOG.debug("the last try of what is kept failed", ErrorText.traceOf(e));
            return true;
        }
    }

    /** Keeps an outcome. From here on no worker owns the todo. */
    void keep(Together outcome) {
        boolean whole = false;
        Kept each = new Kept(outcome, node.clock().nanoTime());
        long bytes = bytes(each.outcome);
        try {
            boolean first = add(each);
            buffer.keep(each.first, bytes);
            wakeAt(after(SHORTEST_REST_NANOS));
            if (first) {
                LOG.info(
                        "another transaction holds what the handler of todo {} of queue {} schedules, such as a"
                                + " correlation key; such outcomes are written when it ends",
                        each.key(),
                        node.queue().name());
            }
            whole = true;
        } finally {
            if (!whole) {
                if (outcome.entry().holder != null) {
                    remove(each); // The worker still owns the todo.
                }
                // Its recovery wakes this loop.
                buffer.doubt();
            }
        }
    }

    private boolean add(Kept each) {
        lock.lock();
        try {
            boolean first = kept.isEmpty();
            kept.put(each.key(), each);
            return first;
        } finally {
            lock.unlock();
        }
    }

    private static long bytes(Together outcome) {
        long bytes = 0;
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
            kept.remove(each.key(), each);
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
                .filter(each -> buffer.isClosed() || now - each.sinceNanos >= KEEPS_SHARD_NANOS)
                .map(Kept::key)
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
    private Instant tryAll() {
        if (!passing.tryLock()) {
            return Instant.MAX;
        }
        try {
            List<Kept> all = all();
            boolean rests = node.clock().nanoTime() - restsUntilNanos < 0 && !buffer.isClosed();
            boolean whole = writeAll(next(all, !rests));
            if (!rests) {
                restNanos = whole ? SHORTEST_REST_NANOS : Math.min(LONGEST_REST_NANOS, 2 * restNanos);
                restsUntilNanos = node.clock().nanoTime() + restNanos;
            }
            return all().isEmpty()
                    ? Instant.MAX
                    : after(restsUntilNanos - node.clock().nanoTime());
        } finally {
            passing.unlock();
        }
    }

    /**
     * Returns what to try, in this order: first what was not tried here before, but for keys of which it is known that
     * others hold them. So a key that is held does not delay outcomes for other keys.
     *
     * @param others whether the others are tried, too
     */
    private static List<Kept> next(List<Kept> all, boolean others) {
        Set<String> held = new HashSet<>();
        all.stream().filter(each -> each.inVain).forEach(each -> held.addAll(each.outcome.keys()));
        Predicate<Kept> isFresh = each -> !each.inVain && Collections.disjoint(held, each.outcome.keys());
        Stream<Kept> fresh = all.stream().filter(isFresh);
        return (others ? Stream.concat(fresh, all.stream().filter(isFresh.negate())) : fresh).toList();
    }

    private Instant after(long nanos) {
        return Micros.ceil(node.clock().now().plusNanos(nanos));
    }

    /** Returns whether nothing was in the way. */
    private boolean writeAll(List<Kept> all) {
        long began = node.clock().nanoTime();
        Set<String> held = new HashSet<>();
        int inVain = 0;
        for (Kept each : all) {
            boolean ends =
                    buffer.isClosed() ? node.clock().nanoTime() - began > LAST_PASS.toNanos() : inVain == MOST_IN_VAIN;
            if (ends) {
                return false;
            }
            Set<String> keys = each.outcome.keys();
            if (!buffer.isRunOf(each.first)) {
                remove(each);
            } else if (Collections.disjoint(held, keys) && !isWritten(each)) {
                inVain++;
                if (keys.size() == 1) {
                    held.addAll(keys);
                }
            }
        }
        return inVain == 0;
    }

    /** Returns whether nothing was in the way of the outcome; if something was, it is tried later. */
    private boolean isWritten(Kept each) {
        try (TodoAttempt attempt =
                new TodoAttempt(each.outcome.todo(), node.clock().now(), node)) {
            return isWritten(each, attempt);
        } catch (StoreException e) {
            return inVain(each, e);
        }
    }

    private boolean isWritten(Kept each, TodoAttempt attempt) {
        OwnTransaction transaction = attempt.transaction();
        try {
            if (!together.writeKept(each.outcome, transaction, !buffer.isClosed())) {
                overtaken(each);
            }
            remove(each);
            return true;
        } catch (CollisionException e) {
            attempt.close();
            each.collisions = e.hasWaited() ? 0 : each.collisions + 1;
            return each.collisions >= MOST_COLLISIONS ? failed(each, e) : inVain(each, e);
        } catch (RefusedException e) {
            // The database answered, and would refuse a repeat, too.
            attempt.close();
            return failed(each, e);
        } catch (DoubtfulException e) {
            attempt.close(); // The question needs a connection.
            return writer.takes(each.outcome.settlements().get(0)) ? failed(each, e) : inVain(each, e);
        } catch (StoreException e) {
            if (!(each.outcome.last() instanceof Settlement.Retried)) {
                return inVain(each, e);
            }
            // It may be written, and does not show in the generation. So a repeat might merge twice.
            overtaken(each);
            remove(each);
            return false;
        } catch (RuntimeException | Error e) {
            UserCode.rethrowFatal(e);
            attempt.close();
            return failed(each, e);
        }
    }

    private void overtaken(Kept each) {
        node.inFlight().settled(each.outcome.settlements());
        buffer.settled(List.of(each.outcome.ended()));
        buffer.readAll();
    }

    /** Lets the others come first the next time. */
    private boolean inVain(Kept each, StoreException e) {
        each.inVain = true;
        LOG.debug("the outcome of todo {} is not written down yet", each.key(), ErrorText.traceOf(e));
        if (!each.warned && node.clock().nanoTime() - each.sinceNanos >= LONG_NANOS) {
            each.warned = true;
            LOG.warn(
                    "the outcome of todo {} of queue {} could not be written for a minute; retrying: {}",
                    each.key(),
                    node.queue().name(),
                    ErrorText.of(e));
        }
        lock.lock();
        try {
            if (kept.remove(each.key(), each)) {
                kept.put(each.key(), each);
            }
        } finally {
            lock.unlock();
        }
        return false;
    }

    /**
     * Keeps the failure of the attempt instead, because a merge threw or the database refused what was scheduled. It is
     * written next. The caller holds no connection: this reads the todo again, and asks its retry policy.
     */
    private boolean failed(Kept each, Throwable error) {
        if (each.isFailure) {
            return inVain(each, error instanceof StoreException e ? e : new StoreException("end", each.key(), error));
        }
        Together before = each.outcome;
        StoredTimer todo = node.store().find(each.key()).orElse(null);
        if (todo == null || todo.generation() != before.todo().generation()) {
            overtaken(each);
            remove(each);
            return true;
        }
        Instant now = node.clock().now();
        Envelope envelope = StoredTimers.envelope(todo, todo.attempt() + 1, now, node.codec());
        Settlement failure =
                outcomes.all(todo, envelope, call.failed(todo, error), now).get(0);
        Together failed = new Together(before.entry(), before.todo(), List.of(failure), List.of(), Set.of());
        each.first = failed.first();
        each.outcome = failed;
        each.isFailure = true;
        each.inVain = false;
        return true;
    }
}
