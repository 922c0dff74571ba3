-- Locks a timer if its outcome may be written and no other transaction holds it. Index: primary key.
SELECT generation
FROM timer_schedules
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED'
FOR UPDATE SKIP LOCKED
