-- Finds a timer whose outcome may be written. Citus locks no rows of several servers by one SELECT, so that settles
-- wait there. Index: primary key.
SELECT generation
FROM timer_schedules
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED'
