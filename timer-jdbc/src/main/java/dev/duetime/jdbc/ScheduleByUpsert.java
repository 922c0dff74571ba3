package dev.duetime.jdbc;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Rounds;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Schedules by one upsert a round, whose condition decides. It answers for the rows that it wrote; the others were unchanged
 * or ignored. Those are asked for only in a transaction that has locked them, or the answer might be of a later row. A
 * single timer, mostly new, needs no transaction around its one statement.
 */
final class ScheduleByUpsert implements ScheduleStatements {
    private final UpsertStatements statements;

    ScheduleByUpsert(UpsertStatements statements) {
        this.statements = statements;
    }

    @Override
    public List<ScheduleResult> schedule(Transactions transactions, List<NewTimer> timers) {
        Object subject = ScheduleStatements.subject(timers);
        if (timers.size() == 1) {
            Map<TimerKey, ScheduleResult> results =
                    transactions.single(OPERATION, subject, handle -> upsert(handle, timers));
            if (!results.isEmpty()) {
                return List.copyOf(results.values());
            }
        }
        return transactions.run(
                OPERATION, subject, handle -> Rounds.write(timers, round -> writeAndRead(handle, round)));
    }

    private List<ScheduleResult> writeAndRead(Handle handle, List<NewTimer> round) {
        Map<TimerKey, ScheduleResult> results = upsert(handle, round);
        List<NewTimer> heldBack = without(results.keySet(), round);
        if (!heldBack.isEmpty()) {
            results.putAll(standing(handle, heldBack));
        }
        return inOrder(round, results);
    }

    private Map<TimerKey, ScheduleResult> upsert(Handle handle, List<NewTimer> round) {
        Map<TimerKey, Integer> revisions = statements.write(handle, round);
        Map<TimerKey, ScheduleResult> results = new HashMap<>();
        for (NewTimer timer : round) {
            Integer revision = revisions.get(timer.key());
            if (revision != null) {
                ScheduleOutcome outcome = revision == 0 ? ScheduleOutcome.CREATED : ScheduleOutcome.RESCHEDULED;
                results.put(
                        timer.key(),
                        new ScheduleResult(timer.key(), outcome, TimerState.SCHEDULED, timer.generation()));
            }
        }
        return results;
    }

    private Map<TimerKey, ScheduleResult> standing(Handle handle, List<NewTimer> heldBack) {
        List<TimerKey> keys = heldBack.stream().map(NewTimer::key).toList();
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

    private static List<NewTimer> without(Set<TimerKey> keys, List<NewTimer> round) {
        return round.stream().filter(timer -> !keys.contains(timer.key())).toList();
    }

    private static List<ScheduleResult> inOrder(List<NewTimer> round, Map<TimerKey, ScheduleResult> results) {
        return round.stream()
                .map(timer -> {
                    ScheduleResult result = results.get(timer.key());
                    if (result == null) {
                        throw new IllegalStateException("a locked row is gone: " + timer.key());
                    }
                    return result;
                })
                .toList();
    }
}
