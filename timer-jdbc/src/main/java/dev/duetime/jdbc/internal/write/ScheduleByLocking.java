package dev.duetime.jdbc.internal.write;

import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.internal.DistinctKeyBatches;
import dev.duetime.jdbc.internal.row.StandingRow;
import dev.duetime.jdbc.internal.row.TimerRows;
import dev.duetime.jdbc.internal.sql.Batches;
import dev.duetime.jdbc.internal.sql.KeyList;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.tx.Transactions;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleDecision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A way to schedule that locks the existing rows, decides in Java, and writes the changes. A key without a row cannot
 * be locked: the second transaction that inserts it fails with a duplicate key, and {@link Transactions} runs the whole
 * work again.
 */
public final class ScheduleByLocking implements ScheduleStatements {
    private final SqlFiles sql;
    private final boolean locksGaps;
    private final boolean locksNow;

    /**
     * Creates the statements.
     *
     * @param locksGaps whether the lock of a missing key may lock other keys too, in a caller's transaction; then the
     *     keys are first searched without a lock
     * @param locksNow whether separate statements, those named {@code …_now}, lock rows without waiting
     */
    public ScheduleByLocking(SqlFiles sql, boolean locksGaps, boolean locksNow) {
        this.sql = sql;
        this.locksGaps = locksGaps;
        this.locksNow = locksNow;
    }

    @Override
    public List<ScheduleResult> schedule(Transactions transactions, List<NewTimer> timers) {
        // A caller's transaction may see an old snapshot. If a key turns out to be taken by a row that is not in the
        // snapshot, the second run must not read the snapshot again: a lock reads the current row.
        AtomicBoolean looksFirst = new AtomicBoolean(locksGaps && transactions.isJoined());
        String suffix = locksNow && transactions.waitsBriefly() ? "_now" : "";
        return transactions.run(OPERATION, ScheduleStatements.subject(timers), handle -> {
            boolean looks = looksFirst.getAndSet(false);
            return DistinctKeyBatches.write(timers, NewTimer::key, round -> write(handle, round, looks, suffix));
        });
    }

    private List<ScheduleResult> write(Handle handle, List<NewTimer> round, boolean looksFirst, String suffix) {
        List<TimerKey> keys = round.stream().map(NewTimer::key).toList();
        Map<TimerKey, StandingRow> standing =
                lock(handle, "lock_timers" + suffix, looksFirst ? look(handle, keys) : keys);
        List<ScheduleResult> results = new ArrayList<>(round.size());
        List<NewTimer> inserted = new ArrayList<>();
        List<Replacement> replaced = new ArrayList<>();
        for (NewTimer timer : round) {
            StandingRow row = standing.get(timer.key());
            ScheduleResult result = decide(timer, row);
            if (ScheduleDecision.writes(result)) {
                if (row == null) {
                    inserted.add(timer);
                } else {
                    replaced.add(Replacement.of(timer, row.timer()));
                }
            }
            results.add(result);
        }
        Batches.execute(handle, sql.text("insert_timer" + suffix), inserted, TimerRows::parameters);
        Batches.execute(handle, sql.text("replace_timer" + suffix), replaced, Replacement::parameters);
        return results;
    }

    private static ScheduleResult decide(NewTimer timer, @Nullable StandingRow row) {
        if (row == null) {
            return ScheduleDecision.of(timer, null);
        }
        return row.problem() == null
                ? ScheduleDecision.of(timer, row.timer())
                : ScheduleDecision.overUnreadable(timer, row.timer());
    }

    private List<TimerKey> look(Handle handle, List<TimerKey> keys) {
        List<TimerKey> found = new ArrayList<>();
        for (KeyList some : KeyList.split(keys)) {
            some.query(handle, sql, "look_for_timers")
                    .map((row, context) -> TimerRows.key(row))
                    .forEach(found::add);
        }
        return found;
    }

    private Map<TimerKey, StandingRow> lock(Handle handle, String locking, Collection<TimerKey> keys) {
        Map<TimerKey, StandingRow> standing = new HashMap<>();
        for (KeyList some : KeyList.split(List.copyOf(keys))) {
            some.query(handle, sql, locking)
                    .map((row, context) -> StandingRow.of(row))
                    .forEach(row -> standing.put(row.timer().key(), row));
        }
        return standing;
    }

    /** The new content of a row. */
    private record Replacement(NewTimer written, @Nullable Instant previousAt) {

        static Replacement of(NewTimer timer, StoredTimer standing) {
            return new Replacement(
                    ScheduleDecision.written(timer, standing), ScheduleDecision.previousAt(timer, standing));
        }

        Map<String, @Nullable Object> parameters() {
            Map<String, @Nullable Object> parameters = TimerRows.parameters(written);
            parameters.put("previousAt", TimerRows.micros(previousAt));
            return parameters;
        }
    }
}
