-- Reads what due.sql left out since it is large. Takes no lock. Index: primary key, once a part.
-- each tenantId, timerId, scope, joined by UNION ALL
SELECT tenant_id, timer_id, scope, generation, payload, headers, trace, error, first_failed_at, last_failed_at
FROM timer_schedules
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope
-- end
