-- Counts the timers that an index finds, no further than a bound. Takes no lock. Index: as query.sql. It names only
-- columns of that index, so the rows themselves are not read.
SELECT count(*) AS timers
FROM (
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
    LIMIT <looked>
) AS found
