-- Deletes timers that purge_free.sql has found and locked in the same transaction. Index: primary key.
DELETE FROM timer_schedules
WHERE (tenant_id, timer_id, scope) IN (
    -- each tenantId, timerId, scope, joined by ,
    (:tenantId, :timerId, :scope)
    -- end
)
