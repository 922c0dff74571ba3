-- Deletes an ended timer, unless another generation stands by now, or a state that this version does not know. Locks
-- the row. Index: primary key.
DELETE FROM timer_schedules
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state IN ('REACHED', 'EXPIRED', 'DEAD', 'CANCELLED')
