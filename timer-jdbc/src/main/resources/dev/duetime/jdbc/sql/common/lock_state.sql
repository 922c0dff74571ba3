-- Reads the state of a timer that could not be cancelled. Locks the row, so that the answer is the latest one and
-- stays true. Index: primary key.
SELECT state
FROM timer_schedules
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope
FOR UPDATE
