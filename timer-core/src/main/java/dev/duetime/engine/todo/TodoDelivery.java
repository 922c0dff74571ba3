package dev.duetime.engine.todo;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.admin.OngoingOutage;
import dev.duetime.engine.loop.PauseFlag;
import dev.duetime.engine.loop.QueueDelivery;
import dev.duetime.engine.loop.ReadPlan;
import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.InFlight;
import dev.duetime.engine.settle.OutcomeWriter;
import dev.duetime.engine.settle.UnreadableRows;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes in what is due and lets workers run it; a settler writes down what became of it. Reads ahead no more than a few
 * batches: what waits here for longer than a second is read again before it runs. Used by the loop's thread, but for
 * the workers and what {@link QueueDelivery} says.
 */
public final class TodoDelivery implements QueueDelivery {
    private static final long PASSES_OVER_NANOS = Duration.ofSeconds(1).toNanos();

    /** How often, at most, to look behind a backlog for what must not wait for it. */
    private static final Duration LOOK_BEHIND = Duration.ofMillis(100);
    /** What a look behind costs grows with the backlog: it takes no more than this part of the time. */
    private static final int LOOK_BEHIND_PART = 20;

    private final TodoNode node;
    private final QueueSettings queue;
    private final TodoBuffer buffer;
    private final CrashAttempts lostAttempts;
    private final UnreadableRows unreadable;
    private final List<TodoWorker> workers = new ArrayList<>();
    /** Four batches, so that not much more is held than is being run. */
    private final ReadPlan plan = new ReadPlan(2);

    private final TodoSettler settler;
    private final @Nullable Duration limit;

    private volatile Set<Integer> reading = Set.of();
    private long passesOverUntilNanos;
    private long lookBehindAtNanos;
    private long readBeganNanos;
    private boolean waitsToLook;
    private boolean looksBehind;
    /** Whether what was read last began with the oldest and left nothing out. */
    private boolean readsAll;

    public TodoDelivery(TodoNode node, TodoBuffer buffer, HandlerSettings settings, Supplier<TodoOutcomes> outcomes) {
        this.node = node;
        this.queue = node.queue();
        this.buffer = buffer;
        settler = new TodoSettler(node, buffer);
        limit = settings.timeLimit();
        OutcomeWriter writer = new OutcomeWriter(node.store());
        lostAttempts = new CrashAttempts(writer::write, queue.retries());
        unreadable = new UnreadableRows(writer, queue.name(), node.listeners());
        for (int i = 0; i < settings.workers(); i++) {
            workers.add(new TodoWorker(node, buffer, outcomes.get(), settings, lostAttempts));
        }
        passesOverUntilNanos = node.clock().nanoTime();
        lookBehindAtNanos = passesOverUntilNanos;
    }

    @Override
    public PauseFlag pauseFlag() {
        return buffer.pauseFlag();
    }

    @Override
    public InFlight inFlight() {
        return node.inFlight();
    }

    /** A handler's failures are its todos' own. */
    @Override
    public @Nullable OngoingOutage publisherOutage() {
        return null;
    }

    @Override
    public CrashAttempts lostAttempts() {
        return lostAttempts;
    }

    @Override
    public Set<Integer> shards() {
        Set<Integer> shards = new HashSet<>(reading);
        shards.addAll(buffer.shards());
        return shards;
    }

    @Override
    public void start(Consumer<Instant> loop) {
        buffer.wakes(loop, settler::wake);
        settler.start("duetime-" + queue.name() + "-settler");
        for (int i = 0; i < workers.size(); i++) {
            workers.get(i).start("duetime-" + queue.name() + "-" + (i + 1));
        }
    }

    /** They have found nothing to take yet, since the node owns no shards. */
    @Override
    public void undoStart() {
        workers.forEach(worker -> worker.close(Duration.ZERO));
        settler.undoStart();
    }

    @Override
    public void beginClose() {
        buffer.close();
    }

    /** Another node may run what this one runs: runs in lost shards end now, and cost no attempt. */
    @Override
    public void ownsOnly(Set<Integer> owned) {
        workers.forEach(each -> each.ownsOnly(owned));
    }

    @Override
    public boolean closeWorkers(Supplier<Duration> left) {
        boolean ended = true;
        for (TodoWorker worker : workers) {
            ended &= worker.close(left.get());
        }
        ended &= settler.close(left.get());
        return ended;
    }

    @Override
    public void beginRead() {
        looksBehind = false;
        waitsToLook = false;
        buffer.beginRead();
        node.inFlight().beginRead();
    }

    @Override
    public void endRead() {
        node.inFlight().endRead();
        reading = Set.of();
    }

    @Override
    public Set<Integer> claim(Set<Integer> wanted) {
        reading = wanted;
        Set<Integer> owned = node.owner().owned(queue.name());
        Set<Integer> claimed = wanted.stream().filter(owned::contains).collect(Collectors.toUnmodifiableSet());
        buffer.retain(claimed);
        lostAttempts.beginRead(claimed);
        return claimed;
    }

    @Override
    public void announced(Instant dueAt) {
        plan.announced(dueAt);
    }

    /**
     * Enough is left to the workers while the next batch is read. While there is more, a look behind it finds what
     * other tenants have, and what is more urgent.
     */
    @Override
    public boolean hasRoom() {
        boolean full = buffer.isFull();
        if (buffer.isClogged()) {
            return false;
        }
        looksBehind = full && node.clock().nanoTime() - lookBehindAtNanos >= 0;
        waitsToLook = full && !looksBehind;
        return !full || looksBehind;
    }

    @Override
    public boolean readsAgain() {
        boolean again = buffer.takeReadsAgain();
        if (again) {
            plan.readAll();
        }
        return again;
    }

    /** Notes when the read began, by which a look behind is limited. */
    private void lookedBehind() {
        long now = node.clock().nanoTime();
        long took = now - readBeganNanos;
        lookBehindAtNanos = now + Math.max(LOOK_BEHIND.toNanos(), LOOK_BEHIND_PART * took);
    }

    @Override
    public DueQuery read(Set<Integer> claimed, Instant now) {
        readBeganNanos = node.clock().nanoTime();
        if (looksBehind) {
            return query(claimed, Instant.MIN, now, queue.batchSize(), buffer.backlog());
        }
        DueQuery.Exclusion but = buffer.fullLanes();
        if (!but.parallelKeys().isEmpty()) {
            plan.readAll();
        }
        Instant from = plan.from(claimed, node.clock().nanoTime());
        readsAll = from.equals(Instant.MIN) && but.parallelKeys().isEmpty();
        return query(claimed, from, now, limit(), but);
    }

    /** What is here already is read again, since it may have changed, and takes no room from what follows. */
    private DueQuery query(Set<Integer> claimed, Instant from, Instant now, int limit, DueQuery.Exclusion but) {
        long bytes = plan.bytes() + buffer.bytes();
        return new DueQuery(queue.name(), claimed, from, now, limit, but, bytes, Map.of());
    }

    @Override
    public void readFailed() {
        plan.failed();
    }

    /**
     * Returns enough to get past what is here already; one of few sizes, since a database plans a read of each anew.
     */
    private int limit() {
        int enough = plan.limit(queue.batchSize() << plan.doublings()) + buffer.size() + unreadable.staying();
        int limit = plan.limit(queue.batchSize());
        while (limit < enough) {
            limit *= 2;
        }
        return limit;
    }

    @Override
    public Instant deliver(DueTimers due, Runnable publishing) {
        if (looksBehind) {
            lookedBehind();
        }
        plan.succeeded();
        plan.left();
        long began = node.clock().nanoTime();
        unreadable.end(due.undecodable(), node.clock().now());
        if (readsAll && !looksBehind) {
            lostAttempts.read(due);
        }
        List<StoredTimer> waiting = buffer.notRunning(due.timers());
        List<StoredTimer> admitted = node.inFlight().admit(waiting);
        boolean all = buffer.admit(admitted) && admitted.size() == waiting.size();
        // Who began to cancel meanwhile found nothing to forget.
        node.inFlight().refused(admitted).forEach(buffer::forget);
        if (looksBehind) {
            plan.readAll();
        } else if (all) {
            plan.done(due, node.clock().nanoTime() - began);
        }
        reading = Set.of();
        return Instant.MIN;
    }

    /** What is in memory is read again, too. */
    @Override
    public boolean readsOn(DueTimers read) {
        return read.more();
    }

    @Override
    public boolean passesOver(DueTimers read) {
        if (read.more() || looksBehind) {
            return false;
        }
        passesOverUntilNanos = node.clock().nanoTime() + PASSES_OVER_NANOS;
        return true;
    }

    /** What was read longer ago may hide what others have enqueued since, dated in the past. */
    @Override
    public boolean stillPassesOver(boolean looked) {
        return (!looked || buffer.size() > 0) && node.clock().nanoTime() - passesOverUntilNanos < 0;
    }

    /** The settler does; only when it has failed, or at the end, does the loop. */
    @Override
    public void settleOpen() {
        if (settler.hasFailed() || buffer.isClosed()) {
            settler.settle();
            settler.wake();
        }
        StoreException failure = buffer.takeFailure();
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void paused(boolean isPaused) {
        buffer.pause(isPaused);
    }

    /** Interrupts what takes too long; what begins meanwhile has its whole limit to go. */
    @Override
    public Instant nextLook() {
        Duration left = limit == null ? Duration.ofDays(1) : limit;
        for (TodoWorker worker : workers) {
            Duration own = worker.checkLimit();
            left = own.compareTo(left) < 0 ? own : left;
        }
        long behind = Math.max(0, lookBehindAtNanos - node.clock().nanoTime());
        left = waitsToLook && behind < left.toNanos() ? Duration.ofNanos(behind) : left;
        return node.clock().now().plus(left);
    }
}
