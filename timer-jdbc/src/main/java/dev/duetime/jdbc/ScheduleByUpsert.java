package dev.duetime.jdbc;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Rounds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Schedules by one upsert a round, whose condition decides. It answers for the rows that it wrote; the others were unchanged
 * or ignored. Those are asked for only in a transaction that has locked them, or the answer might be of a later row. A
 * single timer, mostly new, needs no transaction around its one statement.
 */
final class ScheduleByUpsert implements ScheduleStatements {
    private final SqlFiles sql;

    ScheduleByUpsert(SqlFiles sql) {
        this.sql = sql;
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
        Query upsert = handle.createQuery(sql.text("schedule"));
        new Columns<>(round, upsert)
                .text("tenantId", timer -> timer.key().tenantId())
                .text("timerId", timer -> timer.key().timerId())
                .text("queue", timer -> timer.content().queue())
                .integer("shard", NewTimer::shard)
                .instant("dueAt", timer -> timer.content().dueAt())
                .instant("expiresAt", timer -> timer.content().expiresAt())
                .bigint("generation", NewTimer::generation)
                .bool("rearm", NewTimer::rearm)
                .text("type", timer -> timer.content().type())
                .bytes("payload", timer -> timer.content().payload().bytes())
                .text("headers", timer -> HeadersJson.write(timer.content().headers()))
                .integer("priority", timer -> timer.content().priority())
                .text("correlationId", timer -> timer.content().correlationId())
                .text("parallelKey", timer -> timer.content().parallelKey())
                .text("correlationKey", timer -> timer.content().correlationKey())
                .text("recurrence", timer -> timer.content().recurrence())
                .instant("registeredAt", NewTimer::registeredAt);
        Map<TimerKey, Integer> revisions = new HashMap<>();
        upsert.map((row, context) -> Map.entry(TimerRows.key(row), row.getInt("revision")))
                .forEach(written -> revisions.put(written.getKey(), written.getValue()));
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
        Query standing = handle.createQuery(sql.text("standing"));
        new Columns<>(heldBack, standing)
                .text("tenantId", timer -> timer.key().tenantId())
                .text("timerId", timer -> timer.key().timerId());
        Map<TimerKey, ScheduleResult> results = new HashMap<>();
        standing.map((row, context) -> {
                    TimerState state = StandingRow.state(row.getString("state"));
                    ScheduleOutcome outcome =
                            state == TimerState.SCHEDULED ? ScheduleOutcome.UNCHANGED : ScheduleOutcome.IGNORED;
                    return new ScheduleResult(TimerRows.key(row), outcome, state, row.getLong("generation"));
                })
                .forEach(result -> results.put(result.key(), result));
        return results;
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
