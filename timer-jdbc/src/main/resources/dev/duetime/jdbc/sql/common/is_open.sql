-- Finds a timer whose outcome may be written, whoever holds it. Takes no lock. Index: primary key.
SELECT generation
FROM timer_schedules
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED'
