package dev.duetime.engine.todo;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.loop.Delivered;
import dev.duetime.engine.loop.DeliveryLife;
import dev.duetime.engine.loop.QueueDelivery;
import dev.duetime.engine.loop.ReadPlan;
import dev.duetime.engine.loop.Sorted;
import dev.duetime.engine.settings.HandlerSettings;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.engine.settle.OutcomeWriter;
import dev.duetime.engine.settle.UnreadableRows;
import dev.duetime.engine.shards.Claim;
import dev.duetime.internal.EndSteps;
import dev.duetime.internal.Times;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Delivery to workers. The loop fills a buffer, workers run the todos in it, and a settler writes their outcomes. The
 * buffer holds no more than a few batches: a todo that waits there for longer than a second is read again before it
 * runs. Used by the loop's thread, except for the methods of {@link DeliveryLife}.
 */
public final class TodoDelivery implements QueueDelivery, DeliveryLife {
    /** How long the store is asked only for later todos, if the buffer holds all that are due. */
    private static final Duration WHILE_IN_BUFFER = Duration.ofSeconds(1);

    private final TodoNode node;
    private final QueueSettings queue;
    private final TodoBuffer buffer;
    private final CrashAttempts crashAttempts;
    private final UnreadableRows unreadable;
    private final List<TodoWorker> workers = new ArrayList<>();
    private final TodoSettler settler;
    private final KeptOutcomes kept;
    private final WorkerReadPlan plan;
    private final @Nullable Duration limit;

    public TodoDelivery(TodoNode node, TodoBuffer buffer, HandlerSettings settings, Supplier<TodoOutcomes> outcomes) {
        this.node = node;
        this.queue = node.queue();
        this.buffer = buffer;
        settler = new TodoSettler(node, buffer);
        kept = new KeptOutcomes(node, buffer, outcomes.get(), settings);
        limit = settings.timeLimit();
        OutcomeWriter writer = new OutcomeWriter(node.store(), node.clock());
        crashAttempts = new CrashAttempts(writer::write, queue.retries());
        unreadable = new UnreadableRows(writer, queue.name(), node.listeners());
        for (int i = 0; i < settings.workers(); i++) {
            workers.add(new TodoWorker(node, buffer, outcomes.get(), settings, crashAttempts, kept::keep));
        }
        plan = new WorkerReadPlan(node, buffer, unreadable, crashAttempts);
    }

    @Override
    public ReadPlan plan() {
        return plan;
    }

    @Override
    public void takenOver(int shard, Instant leaseEnded) {
        crashAttempts.takenOver(shard, leaseEnded);
    }

    @Override
    public void cameFromOthers(Set<Integer> shards) {
        crashAttempts.forget(shards);
        plan.shardsCame();
        buffer.forget(shards);
        // Their parallel keys are not known.
        buffer.reads().announced(Instant.MIN);
    }

    @Override
    public Set<Integer> unsettledShards() {
        Set<TimerKey> without = new HashSet<>(settler.keepingNoShard());
        without.addAll(kept.keepingNoShard());
        return buffer.shards(without);
    }

    /** A run that outlasts the close is the last one that may hold the shards. */
    @Override
    public void onCallEnd(Runnable action) {
        workers.forEach(worker -> worker.onEnd(action));
    }

    @Override
    public void start(Consumer<Instant> loop) {
        buffer.wakes(loop, settler::wake, this::wakeAll);
        settler.start("duetime-" + queue.name() + "-settler");
        kept.start("duetime-" + queue.name() + "-kept");
        for (int i = 0; i < workers.size(); i++) {
            workers.get(i).start("duetime-" + queue.name() + "-" + (i + 1));
        }
    }

    private void wakeAll() {
        workers.forEach(TodoWorker::wake);
        kept.wake();
    }

    /** Ends the workers. They have taken nothing yet, because the node owns no shards. */
    @Override
    public void undoStart() {
        EndSteps.all(List.of(
                () -> EndSteps.each(workers, worker -> worker.close(Duration.ZERO)),
                kept::undoStart,
                settler::undoStart));
    }

    @Override
    public void beginClose() {
        buffer.close();
    }

    /** Interrupts runs in lost shards, because another node may run the same todos. They cost no attempt. */
    @Override
    public void ownsOnly(Set<Integer> owned) {
        workers.forEach(each -> each.ownsOnly(owned));
    }

    @Override
    public boolean close(Supplier<Duration> left) {
        AtomicBoolean ended = new AtomicBoolean(true);
        EndSteps.all(List.of(
                () -> EndSteps.each(workers, worker -> note(worker.close(left.get()), ended)),
                () -> note(kept.close(left), ended),
                () -> note(settler.close(left.get()), ended)));
        return ended.get();
    }

    private static void note(boolean hasEnded, AtomicBoolean all) {
        if (!hasEnded) {
            all.set(false);
        }
    }

    /** Leaves out the todos that run here or were settled during the read. */
    @Override
    public Sorted sort(DueTimers read, Claim claim) {
        List<StoredTimer> all = buffer.notRunning(read.timers());
        List<StoredTimer> waiting = plan.goesOn() ? buffer.withoutLane(all) : plan.inOrder(read, all);
        return new Sorted(read, read, node.clock().now(), List.of(), waiting, waiting.size(), true);
    }

    /**
     * Takes the todos into the buffer. If that breaks off, the buffer may hold a todo that was cancelled during the
     * read.
     */
    @Override
    public Delivered deliver(Sorted sorted, Claim claim, Runnable storeAnswers) {
        boolean whole = false;
        try {
            Delivered delivered = admit(sorted, claim);
            whole = true;
            return delivered;
        } finally {
            if (!whole) {
                buffer.doubt();
            }
        }
    }

    /** The buffer, the workers and the settler recover by themselves. */
    @Override
    public void recover() {
        plan.recover();
    }

    private Delivered admit(Sorted sorted, Claim claim) {
        DueTimers read = sorted.read();
        long began = node.clock().nanoTime();
        plan.succeeded(read);
        unreadable.end(read.undecodable(), sorted.at());
        List<StoredTimer> admitted = node.inFlight().admit(sorted.open());
        plan.refused(sorted.open().size() - admitted.size());
        List<StoredTimer> left = buffer.admit(admitted);
        boolean all = left.isEmpty() && admitted.size() == sorted.open().size();
        plan.left(read, with(left, sorted.open(), admitted));
        // A cancellation that began during the read found no todo here to remove.
        node.inFlight().refused(admitted).forEach(buffer::forget);
        if (all) {
            plan.admitted(read, node.clock().nanoTime() - began);
        }
        claim.release();
        // Todos that wait for a read of keys would only be read again.
        boolean readsInVain = !admitted.isEmpty() && left.size() == admitted.size() && plan.waitsForKeys();
        readsInVain |= plan.restsAfterPart(!all || admitted.isEmpty());
        boolean holdsAllDue = (!read.more() || readsInVain) && !plan.looksBehind();
        boolean isLeft = read.more() || (plan.looksBehind() && plan.leavesMore());
        boolean readsAtOnce = (isLeft && !readsInVain) || plan.readsForKeys();
        return new Delivered(Instant.MIN, readsAtOnce, holdsAllDue ? WHILE_IN_BUFFER : Duration.ZERO);
    }

    /** Returns the todos that are left, and those that were read and not admitted, since callers cancel them. */
    private static List<StoredTimer> with(List<StoredTimer> left, List<StoredTimer> read, List<StoredTimer> admitted) {
        if (admitted.size() == read.size()) {
            return left;
        }
        Set<StoredTimer> known = Collections.newSetFromMap(new IdentityHashMap<>());
        known.addAll(admitted);
        List<StoredTimer> all = new ArrayList<>(left);
        read.stream().filter(each -> !known.contains(each)).forEach(all::add);
        return all;
    }

    /** Settles if the settler has failed, or at the end. Otherwise the settler writes the outcomes. */
    @Override
    public void settle() {
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
    public void settleAll() {
        settle();
    }

    /** Interrupts runs that take too long. A run that begins during this call has its whole limit left. */
    @Override
    public Instant runUpkeep() {
        Duration left = limit == null ? Duration.ofDays(1) : limit;
        for (TodoWorker worker : workers) {
            Duration own = worker.checkLimit();
            left = own.compareTo(left) < 0 ? own : left;
        }
        Duration behind = plan.untilLookBehind();
        Instant next = node.clock().now().plus(behind.compareTo(left) < 0 ? behind : left);
        return Times.earlier(Times.earlier(next, plan.tryAgain(node.clock().now())), buffer.tryWaiting());
    }
}
