package dev.duetime.jdbc.internal.write;

import dev.duetime.StoredTimer.Failure;
import dev.duetime.internal.Micros;
import dev.duetime.jdbc.internal.sql.DriverStatement;
import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Advanced;
import dev.duetime.store.Settlement.Deleted;
import dev.duetime.store.Settlement.Ended;
import dev.duetime.store.Settlement.Moved;
import dev.duetime.store.Settlement.Retried;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A way to settle with one statement for many timers, which takes them as a table in JSON. The server then parses and
 * plans once, not once a timer. A batch settles a single timer, and the rare kinds: timers that recur or move on.
 */
public final class SettleByJson implements SettleStatements {
    /** The most outcomes in one statement. Its text has at most 4 MB: the smallest limit of servers is 16 MB. */
    private static final int MOST = 500;

    private static final JsonMapper MAPPER = new JsonMapper();

    private final SqlFiles sql;
    private final SettleByBatch batch;

    /**
     * Creates the statements.
     *
     * @param batch the batch for what is not settled by JSON
     */
    public SettleByJson(SqlFiles sql, SettleByBatch batch) {
        this.sql = sql;
        this.batch = batch;
    }

    @Override
    public int ended(Handle handle, List<Ended> outcomes) {
        return outcomes.size() == 1
                ? batch.ended(handle, outcomes)
                : settle("settle_ended_by_json", handle, outcomes, (outcome, row) -> {
                    row.add(outcome.state().name());
                    row.add(Micros.toLong(outcome.at()));
                    row.add(outcome.attempt());
                    addFailure(row, outcome.failure());
                });
    }

    @Override
    public int deleted(Handle handle, List<Deleted> outcomes) {
        return outcomes.size() == 1
                ? batch.deleted(handle, outcomes)
                : settle("settle_deleted_by_json", handle, outcomes, (outcome, row) -> {});
    }

    @Override
    public int retried(Handle handle, List<Retried> outcomes) {
        return outcomes.size() == 1
                ? batch.retried(handle, outcomes)
                : settle("settle_retried_by_json", handle, outcomes, (outcome, row) -> {
                    row.add(Micros.toLong(outcome.wakeAt()));
                    row.add(outcome.attempt());
                    addFailure(row, outcome.failure());
                });
    }

    @Override
    public int moved(Handle handle, List<Moved> outcomes) {
        return batch.moved(handle, outcomes);
    }

    @Override
    public int advanced(Handle handle, List<Advanced> outcomes) {
        return batch.advanced(handle, outcomes);
    }

    @Override
    public boolean isOneStatement(List<Settlement> outcomes) {
        return false;
    }

    @Override
    public boolean limitsWaits() {
        return false;
    }

    private <S extends Settlement> int settle(
            String statement, Handle handle, List<S> outcomes, BiConsumer<S, List<Object>> columns) {
        batch.lock(handle, outcomes);
        DriverStatement settling = sql.driver(statement);
        int count = 0;
        for (int from = 0; from < outcomes.size(); from += MOST) {
            List<S> some = outcomes.subList(from, Math.min(from + MOST, outcomes.size()));
            String json = json(some, columns);
            count += settling.update(handle, (prepared, position, parameter) -> prepared.setString(position, json));
        }
        return count;
    }

    private static <S extends Settlement> String json(List<S> outcomes, BiConsumer<S, List<Object>> columns) {
        List<List<Object>> rows = new ArrayList<>(outcomes.size());
        for (S outcome : outcomes) {
            List<Object> row = new ArrayList<>();
            Collections.addAll(
                    row,
                    outcome.key().tenantId(),
                    outcome.key().timerId(),
                    outcome.key().scope());
            row.add(outcome.generation());
            columns.accept(outcome, row);
            rows.add(row);
        }
        return MAPPER.writeValueAsString(rows);
    }

    /** Adds the last columns. Without a failure they are absent, and so NULL: MySQL 8.0.15 refuses a JSON null. */
    private static void addFailure(List<Object> row, @Nullable Failure failure) {
        if (failure != null) {
            row.add(failure.error());
            row.add(Micros.toLong(failure.firstAt()));
            row.add(Micros.toLong(failure.lastAt()));
        }
    }
}
