-- Reads the payloads that due.sql left out since they are large. Takes no lock. Index: primary key, once a part.
-- each tenantId, timerId, scope, joined by UNION ALL
SELECT tenant_id, timer_id, scope, generation, payload
FROM timer_schedules
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope
-- end
