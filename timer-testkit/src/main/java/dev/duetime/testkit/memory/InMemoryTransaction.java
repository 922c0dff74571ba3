package dev.duetime.testkit.memory;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.internal.DistinctKeyBatches;
import dev.duetime.store.CollisionException;
import dev.duetime.store.Correlated;
import dev.duetime.store.ListStore;
import dev.duetime.store.NewTimer;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.ScheduleDecision;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerWrites;
import dev.duetime.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of an {@link InMemoryScheduleStore}. It sees its own writes, hides them from others until {@link
 * #commit}, and locks only correlation keys. Where a database would make others wait for a row, the transaction's next
 * write of that row, or its commit, fails instead. A thread that would wait for a correlation key which it has locked
 * itself, in another transaction, fails at once.
 *
 * <p>Thread-safe.
 */
public final class InMemoryTransaction implements Transaction, OwnTransaction {
    private final InMemoryScheduleStore store;
    private final TimerWrites writes = new Writes();
    private final Correlated correlated = new CorrelatedRows();
    private final InMemoryTodoWrites todos;

    // Mutable state, guarded by the store's lock.
    private final Map<TimerKey, Optional<StoredTimer>> met = new TreeMap<>();
    private final Map<TimerKey, Optional<StoredTimer>> written = new TreeMap<>();
    private boolean over;

    InMemoryTransaction(InMemoryScheduleStore store) {
        this.store = store;
        todos = new InMemoryTodoWrites(store, this::checkOpen);
    }

    @Override
    public TimerWrites writes() {
        return writes;
    }

    @Override
    public Transaction transaction() {
        return this;
    }

    /**
     * Makes all writes visible at once.
     *
     * @throws CollisionException if a timer or an item of a to-do list that was written in it was changed by others
     *     meanwhile; then nothing is written
     * @throws IllegalStateException if it is over
     */
    @Override
    public void commit() {
        store.onTable(table -> {
            checkOpen();
            end();
            met.forEach((key, before) -> checkUntouched(key, before.orElse(null), table.get(key)));
            todos.checkUntouched(table.todos());
            written.forEach((key, row) -> row.ifPresentOrElse(table::put, () -> remove(table, key)));
            todos.commit(table.todos());
            return written.size();
        });
    }

    /** Undoes all writes; does nothing if it is over. */
    public void rollback() {
        store.onTable(table -> {
            end();
            return true;
        });
    }

    /** Rolls back unless it was committed. */
    @Override
    public void close() {
        rollback();
    }

    boolean isOf(InMemoryScheduleStore other) {
        return store == other;
    }

    /** Ends it under the store's lock. */
    private void end() {
        over = true;
        store.correlationLocks().release(this);
    }

    private static void remove(InMemoryTable table, TimerKey key) {
        StoredTimer standing = table.get(key);
        if (standing != null) {
            table.remove(standing);
        }
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
            throw new CollisionException(
                    "commit", key, new ConcurrentModificationException("the timer was changed by others meanwhile"));
        }
    }

    private @Nullable StoredTimer read(InMemoryTable table, TimerKey key) {
        Optional<StoredTimer> own = written.get(key);
        return own != null ? own.orElse(null) : table.get(key);
    }

    private @Nullable StoredTimer readToWrite(InMemoryTable table, TimerKey key) {
        StoredTimer now = table.get(key);
        Optional<StoredTimer> before = met.putIfAbsent(key, Optional.ofNullable(now));
        if (before != null) {
            checkUntouched(key, before.orElse(null), now);
        }
        return read(table, key);
    }

    private final class Writes implements TimerWrites {

        @Override
        public List<ScheduleResult> schedule(List<NewTimer> timers) {
            return store.onTable(table -> {
                checkOpen();
                return DistinctKeyBatches.write(timers, NewTimer::key, round -> scheduleDistinct(table, round));
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
                    written.put(timer.key(), Optional.of(InMemoryRows.accepted(timer, standing)));
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
                written.put(key, Optional.of(InMemoryRows.cancelled(standing, now)));
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
        public int settle(List<Settlement> settlements) {
            return store.onTable(table -> {
                checkOpen();
                return settlements.stream()
                        .mapToInt(each -> settle(table, each) ? 1 : 0)
                        .sum();
            });
        }

        private boolean settle(InMemoryTable table, Settlement outcome) {
            StoredTimer standing = readToWrite(table, outcome.key());
            if (standing == null
                    || standing.state() != TimerState.SCHEDULED
                    || standing.generation() != outcome.generation()) {
                return false;
            }
            written.put(outcome.key(), Optional.ofNullable(table.settled(standing, outcome)));
            return true;
        }

        @Override
        public Correlated correlated() {
            return correlated;
        }

        @Override
        public ListStore todos() {
            return todos;
        }
    }

    private final class CorrelatedRows implements Correlated {

        @Override
        public void lock(String queue, Collection<String> correlationKeys) {
            store.onTable(table -> {
                checkOpen();
                store.correlationLocks().lock(InMemoryTransaction.this, queue, correlationKeys);
                return true;
            });
        }

        @Override
        public Optional<StoredTimer> waiting(String queue, String tenantId, String correlationKey, String type) {
            return store.onTable(table -> {
                checkOpen();
                Stream<StoredTimer> committed = table.correlated(queue, correlationKey).stream()
                        .filter(row -> !written.containsKey(row.key()))
                        .filter(row -> !table.isStarted(row));
                Stream<StoredTimer> own = written.values().stream()
                        .flatMap(Optional::stream)
                        .filter(row -> row.state() == TimerState.SCHEDULED)
                        .filter(row -> queue.equals(row.content().queue()))
                        .filter(row -> correlationKey.equals(row.content().correlationKey()));
                Optional<StoredTimer> latest = Stream.concat(committed, own)
                        .filter(row -> !table.isUnreadable(row))
                        .filter(row -> tenantId.equals(row.key().tenantId()))
                        .filter(row -> type.equals(row.content().type()))
                        .max(InMemoryIndexes.LATEST_LAST);
                latest.ifPresent(row -> readToWrite(table, row.key()));
                return latest;
            });
        }
    }
}
