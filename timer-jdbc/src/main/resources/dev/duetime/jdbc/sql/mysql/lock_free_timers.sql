-- Locks those timers of a batch of outcomes that no other transaction holds. Index: primary key, also in a small table: a
-- scan would lock all rows.
SELECT tenant_id, timer_id, scope, generation
FROM timer_schedules FORCE INDEX (PRIMARY)
WHERE (tenant_id, timer_id, scope) IN (
    -- each tenantId, timerId, scope, joined by ,
    (:tenantId, :timerId, :scope)
    -- end
)
  AND state = 'SCHEDULED'
FOR UPDATE SKIP LOCKED
