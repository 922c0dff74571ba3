-- Finds a timer beyond those that query.sql looks at. There is none if query.sql has looked at all. Takes no lock.
-- Index: as query.sql.
-- It names only columns of that index, so the rows themselves are not read.
SELECT tenant_id
FROM timer_schedules
WHERE 1 = 1
  -- if after
  AND (tenant_id, timer_id, scope) > (:afterTenantId, :afterTimerId, :afterScope)
  -- end
  -- if afterInTenant
  AND (timer_id, scope) > (:afterTimerId, :afterScope)
  -- end
  -- if tenantId
  AND tenant_id = :tenantId
  -- end
  -- if tenantRange
  AND tenant_id >= :tenantId AND tenant_id <= :tenantId
  -- end
  -- if tenantEnd
  AND tenant_id <= :tenantId
  -- end
  -- if idRange
  AND timer_id >= :prefix AND timer_id < :prefixEnd
  -- end
  -- if dead
  AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED')
  -- end
ORDER BY tenant_id, timer_id, scope
LIMIT 1 OFFSET <looked>
