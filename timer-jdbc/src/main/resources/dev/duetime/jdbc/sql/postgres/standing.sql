-- Reads state and generation of the rows that held a schedule back. They are locked by schedule.sql, in the same
-- transaction. Index: primary key.
SELECT tenant_id, timer_id, state, generation
FROM timer_schedules
WHERE (tenant_id, timer_id) IN (
    SELECT tenant_id, timer_id
    FROM unnest(CAST(:tenantId AS text[]), CAST(:timerId AS text[])) AS given (tenant_id, timer_id)
)
