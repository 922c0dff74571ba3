package dev.duetime.jdbc;

import dev.duetime.TimerKey;
import dev.duetime.store.NewTimer;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Gives all timers to one statement, as an array for each column; a single one as a row, which costs less. */
final class UpsertByArrays implements UpsertStatements {
    private final SqlFiles sql;
    private final UpsertByRows rows;

    UpsertByArrays(SqlFiles sql) {
        this.sql = sql;
        rows = new UpsertByRows(sql);
    }

    @Override
    public int[] write(Handle handle, List<NewTimer> timers) {
        if (timers.size() == 1) {
            return rows.write(handle, timers);
        }
        Columns<NewTimer> columns = new Columns<>(timers)
                .text("tenantId", timer -> timer.key().tenantId())
                .text("timerId", timer -> timer.key().timerId())
                .text("scope", timer -> timer.key().scope())
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
                .text("step", timer -> timer.content().step())
                .instant("registeredAt", NewTimer::registeredAt);
        return Revisions.of(timers, sql.driver("schedule").query(handle, columns, Revisions.Written::of));
    }

    @Override
    public <R> List<R> standing(Handle handle, List<TimerKey> keys, DriverStatement.RowReader<R> row) {
        Columns<TimerKey> columns = new Columns<>(keys)
                .text("tenantId", TimerKey::tenantId)
                .text("timerId", TimerKey::timerId)
                .text("scope", TimerKey::scope);
        return sql.driver("standing").query(handle, columns, row);
    }
}
