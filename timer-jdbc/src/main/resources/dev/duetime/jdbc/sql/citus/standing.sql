-- Reads state and generation of the rows that held a schedule back. They are locked by schedule.sql, in the same
-- transaction. The keys are constants, so that Citus asks only the servers that may have them. Index: primary key.
SELECT tenant_id, timer_id, scope, state, generation
FROM timer_schedules
WHERE (tenant_id, timer_id, scope) IN (
    -- each tenantId, timerId, scope, joined by ,
    (:tenantId, :timerId, :scope)
    -- end
)
