package dev.duetime.todolist;

import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.UserCode.Answer;
import dev.duetime.listener.ListSweep;
import dev.duetime.listener.NodeListener;
import dev.duetime.store.CollisionException;
import dev.duetime.store.DoubtfulException;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListStore;
import dev.duetime.store.RefusedException;
import dev.duetime.todolist.OverdueHandler.Verdict;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run through a list on one tick: it reads the overdue items, calls the handler for each, and deletes the items
 * that are done. Not thread-safe. Several ticks, also on several nodes, may run through one list at once.
 *
 * <p>An item that fails or is not done stays unchanged, and the next tick finds it. So does an item that is done, if
 * another transaction holds its row until the end of the run, or the database refuses to delete it. If the store fails,
 * the tick fails.
 */
final class ListTick<I> {
    private static final Logger LOG = LoggerFactory.getLogger(ListTick.class);

    private final ListStore store;
    private final NodeListener listener;
    private final ItemIds<I> ids;
    private final OverdueHandler<? super I> handler;
    private final Instant now;
    private final UserCode userCode = UserCode.ofThisThreadOrCaller();

    // Mutable state: the done items that others held, the number of items by outcome, and the first item that failed.
    private final List<ListItem> held = new ArrayList<>();
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
     * Runs through the list.
     *
     * @throws InterruptedException if the node is closing, or the caller's thread was interrupted; the remaining items
     *     are left for the next tick
     */
    void run() throws InterruptedException {
        OverdueItems overdue = new OverdueItems(store, ids.list(), now);
        try {
            while (overdue.hasNext()) {
                if (userCode.isClosing()) {
                    throw new InterruptedException("the node is being closed");
                }
                handOver(overdue.next());
            }
            closeHeld();
        } finally {
            report();
        }
    }

    /**
     * Calls the handler. Others may have closed or moved the item since the page was read; the check here finds most,
     * but not all, of these.
     */
    private void handOver(ListItem item) throws InterruptedException {
        if (!store.find(item.key()).equals(Optional.of(item))) {
            closed++;
            return;
        }
        Answer<Verdict> answer =
                userCode.call(() -> Objects.requireNonNull(handler.handle(ids.of(item), now), "verdict"));
        Verdict verdict = answer.value();
        if (verdict == Verdict.DONE) {
            close(item);
        } else if (verdict == Verdict.NOT_YET) {
            notYet++;
        }
        if (answer.isInterrupted()) {
            throw new InterruptedException("interrupted, for example because the node is being closed");
        }
        Throwable error = answer.error();
        if (error != null) {
            failed(item, error);
        }
    }

    /** An item that was added again meanwhile, with another time, is another case and stays. */
    private void close(ListItem item) {
        try {
            store.removeUnmoved(List.of(item));
            done++;
        } catch (CollisionException e) {
            held.add(item);
        } catch (RefusedException e) {
            failed(item, e);
        } catch (DoubtfulException e) {
            proveAnswer(item, e);
            failed(item, e);
        }
    }

    /** Throws the failure if the store can delete no item. An item with a time that none has is not found. */
    private void proveAnswer(ListItem item, DoubtfulException e) {
        Instant never = item.overdueAt().plus(1, ChronoUnit.MICROS);
        try {
            store.removeUnmoved(List.of(new ListItem(item.key(), never)));
        } catch (CollisionException held) {
            LOG.debug("item {} is held by another transaction", item.key());
        } catch (StoreException away) {
            throw e;
        }
    }

    /** Closes the items that others held, unless they still do: then the next tick hands them over again. */
    private void closeHeld() {
        for (ListItem item : held) {
            try {
                store.removeUnmoved(List.of(item));
                done++;
            } catch (CollisionException | RefusedException | DoubtfulException e) {
                failed(item, e);
            }
        }
    }

    /** Notes a failure of the handler or the item. An interrupt by the handler itself counts as a failure, too. */
    private void failed(ListItem item, Throwable error) {
        failed++;
        listener.todoFailed(item.key(), now, error);
        if (firstFailed == null) {
            firstFailed = item;
            firstError = error;
        }
    }

    /**
     * Logs and reports the outcome. The log shows only the class of an error: its message may quote confidential data.
     */
    private void report() {
        int all = done + notYet + failed + closed;
        if (firstFailed != null && firstError != null) {
            LOG.warn(
                    "{} of {} overdue items of to-do list {} failed at the tick of {}; the next tick retries them;"
                            + " first {} with {}",
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
