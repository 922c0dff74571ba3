-- Reads state and generation of the rows that held a schedule back. They are locked by schedule.sql, in the same
-- transaction. Index: primary key.
SELECT tenant_id, timer_id, scope, state, generation
FROM timer_schedules
WHERE (tenant_id, timer_id, scope) IN (
    SELECT tenant_id, timer_id, scope
    FROM unnest(CAST(:tenantId AS text[]), CAST(:timerId AS text[]), CAST(:scope AS text[]))
        AS given (tenant_id, timer_id, scope)
)
