package dev.duetime.jdbc;

import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import org.jdbi.v3.core.statement.Query;

/** Binds the conditions of a query, which are the same in all statements that have them. */
final class Conditions {

    private Conditions() {}

    static Query bind(Query statement, TimerQuery asked) {
        TimerState state = asked.state();
        return statement
                .bind("tenantId", asked.tenantId())
                .bind("queue", asked.queue())
                .bind("state", state == null ? null : state.name())
                .bind("type", asked.type())
                .bind("dueFrom", asked.dueFrom() == null ? Long.MIN_VALUE : Bounds.before(asked.dueFrom()))
                .bind("dueBefore", asked.dueBefore() == null ? Long.MAX_VALUE : Bounds.before(asked.dueBefore()));
    }
}
