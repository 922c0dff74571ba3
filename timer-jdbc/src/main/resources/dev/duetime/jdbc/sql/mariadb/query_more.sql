-- Finds a timer beyond those that query.sql looks at. There is none if query.sql has looked at all. Takes no lock.
-- Index: as query.sql.
-- It names only columns of that index, so the rows themselves are not read.
SELECT tenant_id
FROM timer_schedules
-- if scheduled
FORCE INDEX (timer_schedules_state)
-- end
-- if ended
FORCE INDEX (timer_schedules_state)
-- end
-- if unknown
FORCE INDEX (timer_schedules_state)
-- end
WHERE 1 = 1
  -- if after
  AND (
    tenant_id = :afterTenantId AND timer_id = :afterTimerId AND scope > :afterScope
    OR tenant_id = :afterTenantId AND timer_id > :afterTimerId
    OR tenant_id > :afterTenantId
  )
  -- end
  -- if tenantId
  AND tenant_id >= :tenantId AND tenant_id <= :tenantId
  -- end
  -- if idRange
  AND timer_id >= :prefix AND timer_id < :prefixEnd
  -- end
  -- if scheduled
  AND state = 'SCHEDULED'
  -- end
  -- if ended
  AND state = :state
  -- end
  -- if unknown
  AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED', 'DEAD')
  -- end
ORDER BY tenant_id, timer_id, scope
LIMIT 1 OFFSET <looked>
