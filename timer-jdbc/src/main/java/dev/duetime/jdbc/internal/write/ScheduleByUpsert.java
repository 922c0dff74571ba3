package dev.duetime.jdbc.internal.write;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.internal.DistinctKeyBatches;
import dev.duetime.jdbc.internal.row.Revisions;
import dev.duetime.jdbc.internal.row.StandingRow;
import dev.duetime.jdbc.internal.row.TimerRows;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.store.NewTimer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A way to schedule with one upsert a round, whose condition decides. The upsert returns the rows that it wrote. It has
 * held back the others, which are unchanged or ignored. These are read only in a transaction that has locked them;
 * otherwise the result might describe a later row. Timers that need not be stored together need no transaction around
 * the first upsert. Those that it holds back go through a second upsert, in a transaction.
 *
 * <p>A large batch is inserted as new first, if that is cheaper, and if the transaction is the store's own: an insert
 * that meets a key that exists ends it.
 */
public final class ScheduleByUpsert implements ScheduleStatements {
    private final UpsertStatements statements;
    private final InsertAttempts inserts = new InsertAttempts();

    public ScheduleByUpsert(UpsertStatements statements) {
        this.statements = statements;
    }

    @Override
    public List<ScheduleResult> schedule(Transactions transactions, List<NewTimer> timers) {
        if (timers.size() == 1) {
            return scheduleEach(transactions, timers);
        }
        return insert(transactions, timers)
                ? timers.stream().map(ScheduleByUpsert::created).toList()
                : transactions.run(
                        OPERATION,
                        ScheduleStatements.subject(timers),
                        handle -> DistinctKeyBatches.write(
                                timers,
                                NewTimer::key,
                                round -> complete(handle, round, upsert(transactions, handle, round))));
    }

    @Override
    public List<ScheduleResult> scheduleEach(Transactions transactions, List<NewTimer> timers) {
        return insert(transactions, timers)
                ? timers.stream().map(ScheduleByUpsert::created).toList()
                : DistinctKeyBatches.write(timers, NewTimer::key, round -> scheduleRound(transactions, round));
    }

    /**
     * Inserts all timers or none, if that is likely to succeed. Returns whether all are stored: then each key was new.
     * If a trigger leaves out some, all are undone, and the upsert finds which.
     */
    private boolean insert(Transactions transactions, List<NewTimer> timers) {
        if (!statements.insertsNew() || !transactions.survivesFailure() || !inserts.begin(timers.size())) {
            return false;
        }
        List<NewTimer> sorted = DistinctKeyBatches.sortedIfDistinct(timers, NewTimer::key);
        if (sorted.isEmpty()) {
            return false;
        }
        try {
            transactions.run(OPERATION, ScheduleStatements.subject(timers), handle -> {
                statements.insert(handle, sorted, transactions.waitsBriefly());
                return true;
            });
            inserts.succeeded();
            return true;
        } catch (NotInserted e) {
            inserts.failed();
            return false;
        }
    }

    private static ScheduleResult created(NewTimer timer) {
        return new ScheduleResult(timer.key(), ScheduleOutcome.CREATED, TimerState.SCHEDULED, timer.generation());
    }

    private List<ScheduleResult> scheduleRound(Transactions transactions, List<NewTimer> round) {
        @Nullable
        ScheduleResult[] results = transactions.single(
                OPERATION, ScheduleStatements.subject(round), handle -> upsert(transactions, handle, round));
        List<NewTimer> heldBack = heldBack(round, results);
        Iterator<ScheduleResult> others = heldBack.isEmpty()
                ? Collections.emptyIterator()
                : writeAndRead(transactions, heldBack).iterator();
        return Stream.of(results)
                .map(result -> result == null ? others.next() : result)
                .toList();
    }

    private List<ScheduleResult> writeAndRead(Transactions transactions, List<NewTimer> round) {
        return transactions.run(
                OPERATION,
                ScheduleStatements.subject(round),
                handle -> complete(handle, round, upsert(transactions, handle, round)));
    }

    /** Adds the results of timers that were held back, in the transaction that has locked their rows. */
    private List<ScheduleResult> complete(Handle handle, List<NewTimer> round, @Nullable ScheduleResult[] written) {
        List<TimerKey> heldBack =
                heldBack(round, written).stream().map(NewTimer::key).toList();
        Map<TimerKey, ScheduleResult> standing = heldBack.isEmpty() ? Map.of() : standing(handle, heldBack);
        List<ScheduleResult> all = new ArrayList<>(written.length);
        for (int i = 0; i < written.length; i++) {
            ScheduleResult result = written[i];
            all.add(result == null ? locked(standing, round.get(i).key()) : result);
        }
        return all;
    }

    private static List<NewTimer> heldBack(List<NewTimer> round, @Nullable ScheduleResult[] written) {
        List<NewTimer> heldBack = new ArrayList<>();
        for (int i = 0; i < written.length; i++) {
            if (written[i] == null) {
                heldBack.add(round.get(i));
            }
        }
        return heldBack;
    }

    /** Returns the results of timers that were written; null for those that were held back. */
    private @Nullable ScheduleResult[] upsert(Transactions transactions, Handle handle, List<NewTimer> round) {
        int[] revisions = statements.write(handle, round, transactions.waitsBriefly());
        @Nullable ScheduleResult[] results = new ScheduleResult[revisions.length];
        for (int i = 0; i < revisions.length; i++) {
            if (revisions[i] != Revisions.HELD_BACK) {
                NewTimer timer = round.get(i);
                ScheduleOutcome outcome = revisions[i] == 0 ? ScheduleOutcome.CREATED : ScheduleOutcome.RESCHEDULED;
                results[i] = new ScheduleResult(timer.key(), outcome, TimerState.SCHEDULED, timer.generation());
            }
        }
        return results;
    }

    private Map<TimerKey, ScheduleResult> standing(Handle handle, List<TimerKey> keys) {
        Map<TimerKey, ScheduleResult> results = new HashMap<>();
        for (ScheduleResult result : statements.standing(handle, keys, ScheduleByUpsert::heldBack)) {
            results.put(result.key(), result);
        }
        return results;
    }

    private static ScheduleResult heldBack(ResultSet row) throws SQLException {
        TimerState state = StandingRow.state(row.getString("state"));
        ScheduleOutcome outcome = state == TimerState.SCHEDULED ? ScheduleOutcome.UNCHANGED : ScheduleOutcome.IGNORED;
        return new ScheduleResult(TimerRows.key(row), outcome, state, row.getLong("generation"));
    }

    private static ScheduleResult locked(Map<TimerKey, ScheduleResult> standing, TimerKey key) {
        ScheduleResult result = standing.get(key);
        if (result == null) {
            throw new IllegalStateException("a locked row is gone: " + key);
        }
        return result;
    }
}
