-- Counts the timers that an index finds, no further than a bound. Takes no lock. Index: as query.sql. It names only
-- columns of that index, so the rows themselves are not read.
SELECT count(*) AS timers
FROM (
    SELECT tenant_id
    FROM timer_schedules
    -- if scheduled
    FORCE INDEX (timer_schedules_state)
    -- end
    -- if ended
    FORCE INDEX (timer_schedules_state)
    -- end
    -- if dead
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
      -- if dead
      AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED')
      -- end
    ORDER BY tenant_id, timer_id, scope
    LIMIT <looked>
) AS found
