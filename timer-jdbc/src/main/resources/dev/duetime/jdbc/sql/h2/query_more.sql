-- Finds a timer beyond those that query.sql looks at. There is none if query.sql has looked at all. Takes no lock.
-- Index: as query.sql.
-- It names only columns of that index, so the rows themselves are not read.
SELECT tenant_id
FROM timer_schedules
WHERE 1 = 1
  -- if after
  AND (stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope))
    > (stringtoutf8(:afterTenantId), stringtoutf8(:afterTimerId), stringtoutf8(:afterScope))
  -- end
  -- if tenantId
  AND tenant_id = :tenantId
  -- end
  -- if idRange
  AND stringtoutf8(timer_id) >= stringtoutf8(:prefix) AND stringtoutf8(timer_id) < stringtoutf8(:prefixEnd)
  -- end
  -- if scheduled
  AND state = 'SCHEDULED'
  -- end
  -- if dead
  AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED')
  -- end
ORDER BY stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope)
LIMIT 1 OFFSET <looked>
