package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.Envelope;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.report.Fatal;
import dev.duetime.engine.report.LogContext;
import dev.duetime.engine.schedule.ElsewhereException;
import dev.duetime.engine.schedule.Merging;
import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settings.QueueHandler;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.internal.Micros;
import dev.duetime.internal.Printable;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.CollisionException;
import dev.duetime.store.LockedException;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.Settlement;
import dev.duetime.todo.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs todos one after the other, one a turn. Run by one thread. */
final class TodoWorker implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(TodoWorker.class);
    private static final int ATTEMPTS = 10;
    /** How soon one looks again that may run only while no other such one does. */
    private static final Duration UNTIL_ALONE = Duration.ofSeconds(1);

    private static final Duration UNTIL_ELSEWHERE_IS_BACK = Duration.ofSeconds(5);

    private final TodoNode node;
    private final TodoBuffer buffer;
    private final TodoOutcomes outcomes;
    private final QueueHandler handler;
    private final TimeLimit limit;
    private final CrashAttempts lostAttempts;

    private volatile Clock.@Nullable Loop loop;

    TodoWorker(
            TodoNode node,
            TodoBuffer buffer,
            TodoOutcomes outcomes,
            HandlerSettings settings,
            CrashAttempts lostAttempts) {
        this.lostAttempts = lostAttempts;
        this.node = node;
        this.buffer = buffer;
        this.outcomes = outcomes;
        this.handler = settings.handler();
        this.limit = new TimeLimit(node.clock(), settings.timeLimit());
    }

    void start(String name) {
        Clock.Loop started = node.clock().startPatient(name, this);
        loop = started;
        // Its first turn may have been over before anybody knew whom to wake.
        started.wakeAt(node.clock().now());
    }

    /** Interrupts a run that takes too long; returns how long the one under way may still take. */
    Duration checkLimit() {
        return limit.check();
    }

    /** Interrupts the run under way if the node no longer owns its shard. */
    void ownsOnly(Set<Integer> owned) {
        limit.ownsOnly(owned);
    }

    /**
     * Waits for the run under way, at most for the given time, then interrupts it; returns whether the worker has
     * ended.
     */
    boolean close(Duration left) {
        Clock.Loop started = loop;
        return started == null || started.close(left);
    }

    /** Runs one. */
    @Override
    public Instant run() throws InterruptedException {
        Entry entry = buffer.take(loop);
        if (entry == null) {
            return Instant.MAX;
        }
        StoredTimer todo = entry.todo;
        LogContext context =
                LogContext.of(todo.key(), node.queue().name(), todo.content().correlationId());
        try {
            run(entry);
        } finally {
            context.close();
        }
        return Instant.MIN;
    }

    private void run(Entry entry) throws InterruptedException {
        StoredTimer todo = entry.todo;
        // It counts as in delivery by now; who gives its shard back stops owning it first and asks for deliveries then.
        if (!node.owns(todo.shard()) || !node.inFlight().begin(todo)) {
            buffer.dropped(entry, null);
            return;
        }
        if (buffer.isSuperseded(entry)) {
            node.inFlight().end(List.of(todo));
            buffer.dropped(entry, null);
            return;
        }
        boolean noted = false;
        try {
            StoredTimer known = lostAttempts.known(todo);
            noted = begin(entry, known);
            if (noted) {
                lostAttempts.over(known);
            }
        } catch (StoreException e) {
            node.inFlight().end(List.of(todo));
            buffer.dropped(entry, e);
            noted = true;
        } finally {
            if (!noted) {
                node.inFlight().end(List.of(todo));
                buffer.dropped(entry, null);
            }
        }
    }

    /** Returns whether it was noted what became of the todo; if not, it is read again. */
    private boolean begin(Entry entry, StoredTimer todo) throws InterruptedException {
        Instant now = node.clock().now();
        if (todo.isExpired(now)) {
            buffer.done(new DoneTodo(entry, outcomes.expired(todo, now), null));
            return true;
        }
        if (outcomes.isExhausted(todo)) {
            buffer.done(new DoneTodo(entry, outcomes.exhausted(todo, now), null));
            return true;
        }
        Settlement passedOver = outcomes.passedOver(todo, now);
        if (passedOver != null) {
            buffer.done(new DoneTodo(entry, passedOver, null));
            return true;
        }
        if (!lostAttempts.mayBegin(todo, node.inFlight())) {
            Instant wakeAt = Micros.ceil(now.plus(UNTIL_ALONE));
            Settlement later =
                    new Settlement.Retried(todo.key(), todo.generation(), wakeAt, todo.attempt(), todo.failure());
            buffer.done(new DoneTodo(entry, later, null));
            return true;
        }
        boolean waited = lostAttempts.begin(List.of(todo));
        if (waited && (!node.owns(todo.shard()) || todo.isExpired(node.clock().now()))) {
            return false;
        }
        lostAttempts.ranAlone(todo);
        if (buffer.mayNotBegin()) {
            return false;
        }
        boolean mayBeMerged = todo.content().correlationKey() != null;
        try {
            if (mayBeMerged && !node.store().start(todo.key(), todo.generation(), now)) {
                node.listeners().overtaken(node.queue().name(), 1);
                return false;
            }
        } catch (LockedException e) {
            // It runs when the transaction that holds it has ended, and no worker waits for that.
            buffer.done(new DoneTodo(
                    entry,
                    new Settlement.Retried(todo.key(), todo.generation(), now, todo.attempt(), todo.failure()),
                    null));
            return true;
        }
        try (TodoAttempt attempt = new TodoAttempt(todo, now, node.store(), node.resolver())) {
            return attempt(entry, todo, attempt);
        }
    }

    private boolean attempt(Entry entry, StoredTimer todo, TodoAttempt attempt) throws InterruptedException {
        Envelope envelope = StoredTimers.envelope(todo, attempt.attempt(), attempt.startedAt(), node.codec());
        Outcome outcome;
        boolean threw = false;
        Duration longest = limit.begin(todo.shard());
        boolean late = false;
        try {
            outcome = handle(StoredTimers.readBy(todo, node.codec()), attempt);
        } catch (InterruptedException e) {
            late = limit.end();
            if (limit.hasLostShard()) {
                return false; // The next owner runs it, and this was no attempt.
            }
            if (!late && buffer.isClosed()) {
                throw e;
            }
            threw = true;
            outcome = failed(todo, late && longest != null ? tookTooLong(todo, longest, e) : e);
        } catch (Exception | Error e) {
            Fatal.rethrow(e);
            if (limit.hasLostShard()) {
                return false;
            }
            threw = true;
            outcome = failed(todo, e);
        } finally {
            attempt.end();
            late |= limit.end();
            // Left by the handler; the next todo is not to find it.
            if (Thread.interrupted() && buffer.isClosed()) {
                Thread.currentThread().interrupt();
            }
        }
        StoreException away = attempt.failure();
        if (threw && away != null) {
            throw away;
        }
        if (late && longest != null) {
            node.listeners().tookTooLong(todo, longest);
        }
        List<Settlement> settlements = settlements(todo, envelope, outcome);
        boolean alone = threw || (attempt.scheduled().isEmpty() && !attempt.isJoined());
        if (!alone || settlements.size() > 1) {
            return settleTogether(entry, todo, envelope, settlements, attempt);
        }
        attempt.close();
        Settlement settlement = settlements.get(0);
        buffer.done(new DoneTodo(entry, settlement, next(settlement)));
        return true;
    }

    private Outcome handle(StoredTimer todo, TodoAttempt attempt) throws Exception {
        Outcome outcome = handler.handle(todo, attempt);
        if (outcome == null) {
            throw new IllegalStateException("the handler of type %s returned no outcome"
                    .formatted(todo.content().type()));
        }
        return outcome;
    }

    /** The handler may say how long to wait; what it says wrongly counts for nothing. */
    private Outcome failed(StoredTimer todo, Throwable error) {
        Outcome.Retry retry = Outcome.retry(error);
        try {
            Duration delay = handler.retryDelay(StoredTimers.readBy(todo, node.codec()), error);
            return delay == null ? retry : retry.after(delay);
        } catch (Exception | Error e) {
            Fatal.rethrow(e);
            LOG.warn(
                    "the delay after an error of type {} in queue {} follows from the retry policy: {}",
                    Printable.line(todo.content().type()),
                    node.queue().name(),
                    ErrorText.of(e));
            return retry;
        }
    }

    private static TimeoutException tookTooLong(StoredTimer todo, Duration longest, InterruptedException e) {
        TimeoutException timeout = new TimeoutException("step %s took longer than %s and was interrupted"
                .formatted(todo.content().step(), longest));
        timeout.initCause(e);
        return timeout;
    }

    /** A payload that cannot be encoded is an error of the handler's. */
    private List<Settlement> settlements(StoredTimer todo, Envelope envelope, Outcome outcome) {
        Instant now = node.clock().now();
        try {
            return outcomes.all(todo, envelope, outcome, now);
        } catch (RuntimeException | Error e) {
            Fatal.rethrow(e);
            return outcomes.all(todo, envelope, Outcome.retry(e), now);
        } finally {
            UserCode.clearInterrupt(); // The codec is the user's, too.
        }
    }

    /** Returns how the todo stands if it goes on at once. */
    private @Nullable StoredTimer next(Settlement settlement) {
        if (settlement instanceof Settlement.Advanced advanced) {
            Instant wakeAt = advanced.next().wakeAt();
            return wakeAt != null && !wakeAt.isAfter(node.clock().now()) ? advanced.next() : null;
        }
        return null;
    }

    /** Writes the outcome in one transaction with what the handler wrote and scheduled: both or neither. */
    private boolean settleTogether(
            Entry entry, StoredTimer todo, Envelope envelope, List<Settlement> settlements, TodoAttempt attempt) {
        try {
            return settleTogether(entry, settlements, attempt);
        } catch (ElsewhereException e) {
            attempt.close();
            LOG.warn(
                    "todo {} runs again in {}: {}",
                    todo.key(),
                    UNTIL_ELSEWHERE_IS_BACK,
                    Printable.withoutSecrets(e.getMessage()));
            Instant wakeAt = node.clock().now().plus(UNTIL_ELSEWHERE_IS_BACK);
            Settlement later =
                    new Settlement.Retried(todo.key(), todo.generation(), wakeAt, todo.attempt(), todo.failure());
            buffer.done(new DoneTodo(entry, later, null));
            return true;
        } catch (StoreException e) {
            if (!attempt.isJoined()) {
                throw e;
            }
            // What the handler wrote may be why.
            return failedTogether(entry, todo, envelope, attempt, e);
        } catch (RuntimeException | Error e) {
            Fatal.rethrow(e);
            return failedTogether(entry, todo, envelope, attempt, e);
        }
    }

    /** A merge may throw, and so may the database because of what the handler wrote: that is the attempt's failure. */
    private boolean failedTogether(
            Entry entry, StoredTimer todo, Envelope envelope, TodoAttempt attempt, Throwable error) {
        attempt.close();
        Settlement failed = settlements(todo, envelope, failed(todo, error)).get(0);
        buffer.done(new DoneTodo(entry, failed, null));
        return true;
    }

    private boolean settleTogether(Entry entry, List<Settlement> settlements, TodoAttempt attempt) {
        Settlement last = settlements.get(settlements.size() - 1);
        // First, while this holds no lock of the settlement: two stores would not see that each waits for the other.
        // And
        // once: what it merges or creates there stands, also if the settlement collides.
        List<NewTimer> own = node.scheduleElsewhere(attempt.scheduled());
        for (int i = 1; ; i++) {
            try {
                OwnTransaction transaction = attempt.transaction();
                for (Settlement each : settlements) {
                    if (transaction.writes().settle(List.of(each)) == 0) {
                        node.listeners().overtaken(node.queue().name(), 1);
                        return false;
                    }
                }
                List<Merging.Stored> stored = node.schedule(own, transaction.writes());
                transaction.commit();
                node.inFlight().settled(settlements);
                buffer.settled(List.of(new DoneTodo(entry, last, next(last))));
                node.scheduled(own, stored);
                return true;
            } catch (CollisionException e) {
                if (attempt.isJoined() || i == ATTEMPTS) {
                    throw e;
                }
                attempt.close();
            } catch (RuntimeException | Error e) {
                node.mayBeStored(own);
                throw e;
            }
        }
    }
}
