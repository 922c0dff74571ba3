-- Reads which of a batch of keys are there, inside a caller's transaction. Takes no lock: to lock a key that is not
-- there would lock the gap around it under REPEATABLE READ, and two transactions that insert there would be a
-- deadlock. Index: primary key.
SELECT tenant_id, timer_id, scope
FROM timer_schedules FORCE INDEX (PRIMARY)
WHERE (tenant_id, timer_id, scope) IN (
    -- each tenantId, timerId, scope, joined by ,
    (:tenantId, :timerId, :scope)
    -- end
)
