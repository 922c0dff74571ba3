-- Reads the state of a timer that could not be cancelled. The transaction holds the write lock already, see
-- take_write_lock.sql. Index: primary key.
SELECT state
FROM timer_schedules
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope
