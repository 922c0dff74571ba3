-- Locks the timers of a batch of outcomes before they are written, so that the batch waits once for all of them, and not
-- for each. Index: primary key.
SELECT generation
FROM timer_schedules FORCE INDEX (PRIMARY)
WHERE (tenant_id, timer_id, scope) IN (
    -- each tenantId, timerId, scope, joined by ,
    (:tenantId, :timerId, :scope)
    -- end
)
FOR UPDATE
