-- Reads the state of a timer that is to be cancelled. Locks the row, and fails at once if another transaction holds it.
-- Index: primary key.
SELECT state
FROM timer_schedules
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope
FOR UPDATE NOWAIT
