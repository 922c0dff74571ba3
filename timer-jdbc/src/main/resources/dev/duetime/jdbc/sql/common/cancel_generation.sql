-- Ends a scheduled timer as cancelled, unless another generation stands by now. Locks the row. Index: primary key.
UPDATE timer_schedules
SET state = 'CANCELLED', wake_at = NULL, settled_at = :now
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED'
