-- Deletes a timer that its queue does not keep, unless another generation stands by now. Locks the row. Index: primary
-- key.
DELETE FROM timer_schedules
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED'
