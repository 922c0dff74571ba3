package dev.duetime.engine.todo;

import dev.duetime.Clock;
import dev.duetime.Envelope;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.UnknownTypeException;
import dev.duetime.engine.loop.TimeLimit;
import dev.duetime.engine.report.LogContext;
import dev.duetime.engine.schedule.ElsewhereException;
import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.OutcomeWriter;
import dev.duetime.engine.todo.OutcomeTransaction.Together;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.engine.todo.TodoLane.HeldTodo;
import dev.duetime.internal.Errors;
import dev.duetime.internal.Micros;
import dev.duetime.internal.Printable;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.CollisionException;
import dev.duetime.store.DoubtfulException;
import dev.duetime.store.LockedException;
import dev.duetime.store.RefusedException;
import dev.duetime.store.Settlement;
import dev.duetime.todo.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker that runs todos one after the other, one a turn. Run by one thread. */
final class TodoWorker implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(TodoWorker.class);
    /** How soon a todo is retried that must run alone, while another one runs alone. */
    private static final Duration UNTIL_ALONE = Duration.ofSeconds(1);

    private static final Duration UNTIL_A_TRANSACTION_IS_FREE = Duration.ofSeconds(1);
    private static final Duration UNTIL_NOBODY_IS_IN_THE_WAY = Duration.ofSeconds(1);
    private static final Duration LONGEST_UNTIL_FREE = Duration.ofSeconds(30);
    private static final Duration UNTIL_ELSEWHERE_IS_BACK = Duration.ofSeconds(5);

    private final TodoNode node;
    private final TodoBuffer buffer;
    private final TodoOutcomes outcomes;
    private final UserCode userCode;
    private final HandlerCall call;
    private final OutcomeTransaction together;
    private final CrashAttempts crashAttempts;
    private final OutcomeWriter writer;
    private final Consumer<Together> keeper;

    private volatile Clock.@Nullable Loop loop;
    private volatile Runnable onEnd = () -> {};

    // Used by the worker's thread: whether the last turn threw, the todo of the run, and why it has no outcome.
    private boolean hasFailed;
    private final HeldTodo held = new HeldTodo();
    private @Nullable StoreException storeFailure;

    TodoWorker(
            TodoNode node,
            TodoBuffer buffer,
            TodoOutcomes outcomes,
            HandlerSettings settings,
            CrashAttempts crashAttempts,
            Consumer<Together> keeper) {
        this.keeper = keeper;
        this.crashAttempts = crashAttempts;
        this.node = node;
        this.buffer = buffer;
        this.outcomes = outcomes;
        TimeLimit limit = new TimeLimit(node.clock(), settings.timeLimit());
        userCode = UserCode.withLimit(buffer::isClosed, limit::hasInterrupted);
        call = new HandlerCall(node, settings, userCode, limit);
        together = new OutcomeTransaction(node, buffer, userCode);
        writer = new OutcomeWriter(node.store(), node.clock());
    }

    /** Sets what it does after each run. Must be called before the start. */
    void onEnd(Runnable action) {
        onEnd = action;
    }

    void start(String name) {
        Clock.Loop started = node.clock().startPatient(name, this);
        loop = started;
        // The first turn may have ended before this loop could be woken.
        started.wakeAt(node.clock().now());
    }

    /** Makes it look for a todo. */
    void wake() {
        Clock.Loop started = loop;
        if (started != null) {
            started.wakeAt(node.clock().now());
        }
    }

    /** Interrupts the run under way if it takes too long. Returns how long it may still take. */
    Duration checkLimit() {
        return call.checkLimit();
    }

    /** Interrupts the run under way if the node no longer owns its shard. */
    void ownsOnly(Set<Integer> owned) {
        call.ownsOnly(owned);
    }

    /**
     * Waits for the run under way, at most for the given time, and then interrupts it. Returns whether the worker has
     * ended.
     */
    boolean close(Duration left) {
        Clock.Loop started = loop;
        return started == null || started.close(left);
    }

    /** Runs one todo, if there is one. */
    @Override
    public Instant run() throws InterruptedException {
        hasFailed = true;
        // Of a turn that broke off: else the todo would hold its lane and its permits for ever.
        giveBack();
        storeFailure = null;
        buffer.take(loop, held);
        Entry entry = held.entry();
        if (entry == null) {
            hasFailed = false;
            return Instant.MAX;
        }
        try {
            runInContext(entry);
        } finally {
            giveBack();
            onEnd.run();
        }
        hasFailed = false;
        return Instant.MIN;
    }

    /** Gives back the todo of the last run, unless it has an outcome. If this breaks off, the next turn repeats it. */
    private void giveBack() {
        if (held.entry() != null && buffer.isHeld(held)) {
            node.inFlight().end(held.todo());
            buffer.dropped(held, storeFailure);
        }
        held.forget();
    }

    private void runInContext(Entry entry) throws InterruptedException {
        StoredTimer todo = entry.todo;
        LogContext context =
                LogContext.of(todo.key(), node.queue().name(), todo.content().correlationId());
        try {
            run(entry);
        } finally {
            context.close();
        }
    }

    /** It wakes the loops that have work then. */
    @Override
    public Instant idleUntil() {
        return hasFailed ? Instant.MIN : node.clock().now();
    }

    private void run(Entry entry) throws InterruptedException {
        StoredTimer todo = entry.todo;
        // The todo counts as in delivery already. A release of its shard first ends the ownership and then checks for
        // deliveries.
        if (!node.owns(todo.shard()) || !node.inFlight().begin(todo)) {
            return;
        }
        try {
            if (buffer.isSuperseded(entry)) {
                return;
            }
            StoredTimer known = crashAttempts.known(todo);
            if (begin(entry, known)) {
                crashAttempts.over(known);
            }
        } catch (StoreException e) {
            storeFailure = e;
        }
    }

    /** Returns whether an outcome was noted for the todo. If not, the todo is read again. */
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
        Settlement skipped = outcomes.skipped(todo, now);
        if (skipped != null) {
            buffer.done(new DoneTodo(entry, skipped, null));
            return true;
        }
        UnknownTypeException unknown = call.unknown(todo);
        if (unknown != null) {
            // It does not begin, so that it gives its permits back.
            Envelope envelope = StoredTimers.envelope(todo, todo.attempt() + 1, now, node.codec());
            buffer.done(new DoneTodo(entry, outcomes.failed(todo, envelope, unknown, now), null));
            return true;
        }
        if (!crashAttempts.mayBegin(todo, node.inFlight())) {
            postpone(entry, todo, UNTIL_ALONE);
            return true;
        }
        boolean waited = crashAttempts.begin(List.of(todo));
        if (waited && (!node.owns(todo.shard()) || todo.isExpired(node.clock().now()))) {
            return false;
        }
        crashAttempts.ranAlone(todo);
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
            // The todo runs after the transaction that holds its row. No worker waits for that.
            postpone(entry, todo, Duration.ZERO);
            return true;
        } catch (CollisionException e) {
            return runAgain(entry, todo, "another transaction is in the way of its start");
        } catch (RefusedException | DoubtfulException e) {
            Settlement failed = outcomes.notStarted(todo, e, node.clock().now());
            if (e instanceof DoubtfulException && !writer.takes(failed)) {
                throw e;
            }
            buffer.done(new DoneTodo(entry, failed, null));
            return true;
        }
        if (!node.owns(todo.shard()) || todo.isExpired(node.clock().now()) || !buffer.begun(todo)) {
            return false;
        }
        try (TodoAttempt attempt = new TodoAttempt(todo, now, node)) {
            return attempt(entry, todo, attempt);
        }
    }

    private boolean attempt(Entry entry, StoredTimer todo, TodoAttempt attempt) throws InterruptedException {
        Envelope envelope = StoredTimers.envelope(todo, attempt.attempt(), attempt.startedAt(), node.codec());
        HandlerCall.Result result = call.run(todo, attempt);
        Outcome outcome = result.outcome();
        if (outcome == null) {
            if (result.end() == HandlerCall.End.GOT_NO_TRANSACTION) {
                attempt.close();
                postpone(entry, todo, UNTIL_A_TRANSACTION_IS_FREE);
                return true;
            }
            return false;
        }
        if (result.end() == HandlerCall.End.LOST_CONNECTION
                && !node.collisions().isAttempt(todo)) {
            attempt.close();
            return runAgain(entry, todo, "the connection of its transaction was lost");
        }
        boolean threw = result.end() != HandlerCall.End.RETURNED;
        List<Settlement> settlements = settlements(todo, envelope, outcome);
        boolean alone = threw || (attempt.scheduled().isEmpty() && !attempt.isJoined());
        if (!alone || settlements.size() > 1) {
            return settleTogether(entry, todo, envelope, settlements, attempt);
        }
        attempt.close();
        Settlement settlement = settlements.get(0);
        Instant now = node.clock().now();
        buffer.done(new DoneTodo(entry, settlement, OutcomeTransaction.next(settlement, now)));
        return true;
    }

    /** Runs the todo again later. This run was no attempt. */
    private void postpone(Entry entry, StoredTimer todo, Duration delay) {
        Instant wakeAt = Micros.ceil(node.clock().now().plus(delay));
        Settlement later =
                new Settlement.Retried(todo.key(), todo.generation(), wakeAt, todo.attempt(), todo.failure());
        buffer.done(new DoneTodo(entry, later, null));
    }

    /** Returns the settlements to write. A payload that cannot be encoded is a failure of the handler. */
    private List<Settlement> settlements(StoredTimer todo, Envelope envelope, Outcome outcome)
            throws InterruptedException {
        Instant now = node.clock().now();
        Answer<List<Settlement>> answer = userCode.call(() -> outcomes.all(todo, envelope, outcome, now));
        List<Settlement> settlements = answer.value();
        if (settlements != null) {
            return settlements;
        }
        if (answer.isInterrupted()) {
            throw new InterruptedException("interrupted by close while the outcome was encoded");
        }
        return outcomes.all(todo, envelope, Outcome.retry(Objects.requireNonNull(answer.error())), now);
    }

    private boolean settleTogether(
            Entry entry, StoredTimer todo, Envelope envelope, List<Settlement> settlements, TodoAttempt attempt)
            throws InterruptedException {
        try {
            boolean ended = together.write(entry, todo, settlements, attempt, keeper);
            node.collisions().over(todo);
            return ended;
        } catch (RefusedException e) {
            // The database answered, and would refuse a repeat, too.
            return failedTogether(entry, todo, envelope, attempt, e);
        } catch (DoubtfulException e) {
            if (attempt.isJoined()) {
                return failedJoined(entry, todo, envelope, attempt, e);
            }
            // The question needs a connection, which this attempt may hold.
            attempt.close();
            if (!writer.takes(settlements.get(0))) {
                throw e;
            }
            return failedTogether(entry, todo, envelope, attempt, e);
        } catch (ElsewhereException e) {
            attempt.close();
            if (Errors.cause(e) instanceof RefusedException refused) {
                return failedTogether(entry, todo, envelope, attempt, refused);
            }
            LOG.warn(
                    "todo {} runs again in {}: {}",
                    todo.key(),
                    UNTIL_ELSEWHERE_IS_BACK,
                    Printable.withoutSecrets(Errors.message(e)));
            postpone(entry, todo, UNTIL_ELSEWHERE_IS_BACK);
            return true;
        } catch (LockedException e) {
            attempt.close();
            return collided(entry, todo, envelope, attempt, e, true);
        } catch (CollisionException e) {
            // Nothing was written, not even the handler's own writes in this transaction.
            attempt.close();
            return collided(entry, todo, envelope, attempt, e, e.hasWaited());
        } catch (StoreException e) {
            if (!attempt.isJoined()) {
                throw e;
            }
            return failedJoined(entry, todo, envelope, attempt, e);
        } catch (RuntimeException | Error e) {
            UserCode.rethrowFatal(e);
            if (!buffer.isHeld(held)) {
                throw e; // The outcome is kept already.
            }
            return failedTogether(entry, todo, envelope, attempt, e);
        }
    }

    /** Ends an attempt whose transaction the handler joined, after an error of the store. */
    private boolean failedJoined(
            Entry entry, StoredTimer todo, Envelope envelope, TodoAttempt attempt, StoreException error)
            throws InterruptedException {
        if (attempt.hasLostConnection() && !node.collisions().isAttempt(todo)) {
            attempt.close();
            return runAgain(entry, todo, "the connection of its transaction was lost");
        }
        // The handler's own writes may be the reason.
        return failedTogether(entry, todo, envelope, attempt, error);
    }

    /** Runs the todo again: later each time if others hold what it needs, so that workers are left for other todos. */
    private boolean collided(
            Entry entry, StoredTimer todo, Envelope envelope, TodoAttempt attempt, StoreException error, boolean held)
            throws InterruptedException {
        if (node.collisions().isAttempt(todo)) {
            return failedTogether(entry, todo, envelope, attempt, error);
        }
        if (!held) {
            return runAgain(entry, todo, "another transaction is in the way of its outcome");
        }
        LOG.debug("todo {} runs again, since another transaction holds what it needs", todo.key());
        Duration delay = UNTIL_NOBODY_IS_IN_THE_WAY.multipliedBy(
                1L << Math.min(node.collisions().inARow(todo), 6));
        postpone(entry, todo, delay.compareTo(LONGEST_UNTIL_FREE) < 0 ? delay : LONGEST_UNTIL_FREE);
        return true;
    }

    private boolean runAgain(Entry entry, StoredTimer todo, String why) {
        LOG.debug("todo {} runs again, since {}", todo.key(), why);
        postpone(entry, todo, UNTIL_NOBODY_IS_IN_THE_WAY);
        return true;
    }

    /** Fails the attempt, because a merge threw or the database refused the handler's writes. */
    private boolean failedTogether(
            Entry entry, StoredTimer todo, Envelope envelope, TodoAttempt attempt, Throwable error)
            throws InterruptedException {
        attempt.close();
        Settlement failed =
                settlements(todo, envelope, call.failed(todo, error)).get(0);
        buffer.done(new DoneTodo(entry, failed, null));
        return true;
    }
}
