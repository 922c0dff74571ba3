-- Notes that a timer is being run, unless another generation stands by now. Locks the row. Index: primary key.
UPDATE timer_schedules
SET started_at = :now
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED'
