package dev.duetime.testkit;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Rounds;
import dev.duetime.store.ScheduleDecision;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.TodoStore;
import dev.duetime.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Is a transaction of an {@link InMemoryScheduleStore}: sees its own writes, shows them to nobody before {@link #commit},
 * and takes no locks. Where a database would have made the others wait, its commit fails instead.
 *
 * <p>Thread-safe.
 */
public final class InMemoryTransaction implements Transaction, AutoCloseable {
    private final InMemoryScheduleStore store;
    private final TimerWrites writes = new Writes();
    private final InMemoryTodoWrites todos;

    // Mutable state, guarded by the store's lock.
    private final Map<TimerKey, Optional<StoredTimer>> met = new TreeMap<>();
    private final Map<TimerKey, StoredTimer> written = new TreeMap<>();
    private boolean over;

    InMemoryTransaction(InMemoryScheduleStore store) {
        this.store = store;
        todos = new InMemoryTodoWrites(store, this::checkOpen);
    }

    /**
     * Makes all writes visible at once.
     *
     * @throws StoreException if a timer or an item of a to-do list that was written in it was changed by others meanwhile;
     *     then nothing is written
     * @throws IllegalStateException if it is over
     */
    public void commit() {
        store.onTable(table -> {
            checkOpen();
            over = true;
            met.forEach((key, before) -> checkUntouched(key, before.orElse(null), table.get(key)));
            todos.checkUntouched(table.todos());
            written.values().forEach(table::put);
            todos.commit(table.todos());
            return written.size();
        });
    }

    /** Undoes all writes; does nothing if it is over. */
    public void rollback() {
        store.onTable(table -> over = true);
    }

    /** Rolls back unless it was committed. */
    @Override
    public void close() {
        rollback();
    }

    boolean isOf(InMemoryScheduleStore other) {
        return store == other;
    }

    TimerWrites writes() {
        return writes;
    }

    private void checkOpen() {
        if (over) {
            throw new IllegalStateException("transaction must be open but was committed or rolled back");
        }
    }

    // Rows are immutable and replaced by each write, so that the same object means untouched.
    @SuppressWarnings("ReferenceEquality")
    private static void checkUntouched(TimerKey key, @Nullable StoredTimer before, @Nullable StoredTimer now) {
        if (before != now) {
            throw new StoreException(
                    "commit", key, new ConcurrentModificationException("the timer was changed by others meanwhile"));
        }
    }

    private @Nullable StoredTimer read(InMemoryTable table, TimerKey key) {
        StoredTimer own = written.get(key);
        return own != null ? own : table.get(key);
    }

    private @Nullable StoredTimer readToWrite(InMemoryTable table, TimerKey key) {
        met.putIfAbsent(key, Optional.ofNullable(table.get(key)));
        return read(table, key);
    }

    private final class Writes implements TimerWrites {

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            return store.onTable(table -> {
                checkOpen();
                return Rounds.write(timers, round -> scheduleDistinct(table, round));
            });
        }

        private List<ScheduleResult> scheduleDistinct(InMemoryTable table, List<NewTimer> round) {
            List<ScheduleResult> results = new ArrayList<>(round.size());
            for (NewTimer timer : round) {
                StoredTimer standing = readToWrite(table, timer.key());
                ScheduleResult result = standing != null && table.isUnreadable(standing)
                        ? ScheduleDecision.overUnreadable(timer, standing)
                        : ScheduleDecision.of(timer, standing);
                if (ScheduleDecision.writes(result)) {
                    written.put(timer.key(), InMemoryRows.accepted(timer, standing));
                }
                results.add(result);
            }
            return results;
        }

        @Override
        public CancelResult cancel(TimerKey key, Instant now, OptionalLong inDelivery) {
            return store.onTable(table -> {
                checkOpen();
                StoredTimer standing = readToWrite(table, key);
                if (standing == null) {
                    return CancelResult.NOT_FOUND;
                }
                boolean delivering = inDelivery.isPresent()
                        && inDelivery.getAsLong() == standing.generation()
                        && standing.content().recurrence() == null;
                if (standing.state() != TimerState.SCHEDULED || delivering) {
                    return CancelResult.TOO_LATE;
                }
                written.put(key, InMemoryRows.cancelled(standing, now));
                return CancelResult.CANCELLED;
            });
        }

        @Override
        public Optional<StoredTimer> find(TimerKey key) {
            return store.onTable(table -> {
                checkOpen();
                return Optional.ofNullable(read(table, key)).map(table::shown);
            });
        }

        @Override
        public TodoStore todos() {
            return todos;
        }
    }
}
