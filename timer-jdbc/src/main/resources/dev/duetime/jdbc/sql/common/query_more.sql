-- Finds a timer beyond those that query.sql looks at. There is none if query.sql has looked at all. Takes no lock.
-- Index: as query.sql.
SELECT generation
FROM timer_schedules
WHERE 1 = 1
  -- if after
  AND (tenant_id, timer_id, scope) > (:afterTenantId, :afterTimerId, :afterScope)
  -- end
  -- if tenantId
  AND tenant_id = :tenantId
  -- end
  -- if dead
  AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED')
  -- end
ORDER BY tenant_id, timer_id, scope
LIMIT 1 OFFSET <looked>
