package dev.duetime.jdbc;

import dev.duetime.TimerKey;
import dev.duetime.store.NewTimer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Gives all timers to one statement, as an array for each column. */
final class UpsertByArrays implements UpsertStatements {
    private final SqlFiles sql;

    UpsertByArrays(SqlFiles sql) {
        this.sql = sql;
    }

    @Override
    public Map<TimerKey, Integer> write(Handle handle, List<NewTimer> timers) {
        Query upsert = handle.createQuery(sql.text("schedule"));
        new Columns<>(timers, upsert)
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
        upsert.map(UpsertStatements::written).forEach(written -> revisions.put(written.getKey(), written.getValue()));
        return revisions;
    }

    @Override
    public <R> List<R> standing(Handle handle, List<TimerKey> keys, RowReader<R> row) {
        Query standing = handle.createQuery(sql.text("standing"));
        new Columns<>(keys, standing).text("tenantId", TimerKey::tenantId).text("timerId", TimerKey::timerId);
        return standing.map((found, unused) -> row.read(found)).list();
    }
}
