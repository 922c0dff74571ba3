package dev.duetime.todolist;

import dev.duetime.Scheduler;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import dev.duetime.listener.ListSweep;
import dev.duetime.listener.NodeListener;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListStore;
import dev.duetime.todolist.OverdueHandler.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works off one list on one tick: reads what is overdue, hands each item over on its own, and deletes what is done. Not
 * thread-safe; several ticks, on several nodes, may work on one list at once.
 *
 * <p>An item that fails, or is not done yet, stays as it is and is found by the next tick. If the store fails, the tick does.
 */
final class ListTick<I> {
    private static final Logger LOG = LoggerFactory.getLogger(ListTick.class);

    private final ListStore store;
    private final NodeListener listener;
    private final ItemIds<I> ids;
    private final OverdueHandler<? super I> handler;
    private final Instant now;

    // Mutable state: how many items met which end, and the first that failed.
    private int done;
    private int notYet;
    private int failed;
    private int closed;
    private @Nullable ListItem firstFailed;
    private @Nullable Throwable firstError;

    ListTick(Scheduler scheduler, ItemIds<I> ids, OverdueHandler<? super I> handler, Instant now) {
        store = scheduler.store().todos();
        listener = scheduler.listener();
        this.ids = ids;
        this.handler = handler;
        this.now = now;
    }

    /**
     * Works off the list.
     *
     * @throws InterruptedException if the node is being closed; the rest is left for the next tick
     */
    void run() throws InterruptedException {
        OverdueItems overdue = new OverdueItems(store, ids.list(), now);
        try {
            while (overdue.hasNext()) {
                handOver(overdue.next());
            }
        } finally {
            tell();
        }
    }

    /** Others may have closed or moved it since the page was read: that spares the handler most, but not all, of these. */
    private void handOver(ListItem item) throws InterruptedException {
        if (!store.find(item.key()).equals(Optional.of(item))) {
            closed++;
            return;
        }
        Answer<Verdict> answer = UserCode.ofThisThread()
                .call(() -> Objects.requireNonNull(handler.handle(ids.of(item), now), "verdict"));
        Verdict verdict = answer.value();
        if (verdict == Verdict.DONE) {
            // Only as it was handed over: one that was added again meanwhile, with another time, is another case.
            store.removeUnmoved(List.of(item));
            done++;
        } else if (verdict == Verdict.NOT_YET) {
            notYet++;
        }
        if (answer.isInterrupted()) {
            throw new InterruptedException("the node is being closed");
        }
        Throwable error = answer.error();
        if (error != null) {
            failed(item, error);
        }
    }

    /** By whatever may be the fault of the handler or the item, an interrupt of its own included. */
    private void failed(ListItem item, Throwable error) {
        failed++;
        listener.todoFailed(item.key(), now, error);
        if (firstFailed == null) {
            firstFailed = item;
            firstError = error;
        }
    }

    /** The class of the error only: its message may quote what must not be in a log. */
    private void tell() {
        int all = done + notYet + failed + closed;
        if (firstFailed != null && firstError != null) {
            LOG.warn(
                    "{} of {} overdue items of to-do list {} failed at the tick of {} and are left for the next, first {} with {}",
                    failed,
                    all,
                    ids.list(),
                    now,
                    firstFailed.key(),
                    firstError.getClass().getName());
        }
        if (all > 0) {
            listener.sweptTodos(new ListSweep(ids.list(), now, done, notYet, failed, closed));
        }
    }
}
