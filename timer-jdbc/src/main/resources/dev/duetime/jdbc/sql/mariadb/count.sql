-- Counts timers by queue and state. A row in a state that this version does not know is counted as DEAD. Takes no lock.
-- Index and bound: as query.sql. Whether there are more is told by query_more.sql.
SELECT queue,
       CASE WHEN state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED') THEN state ELSE 'DEAD' END AS state,
       count(*) AS timers
FROM (
    SELECT queue, state, type, due_at
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
      -- if scheduled
      AND state = 'SCHEDULED'
      -- end
      -- if ended
      AND state = :state
      -- end
      -- if dead
      AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED')
      -- end
    -- if bounded
    ORDER BY tenant_id, timer_id, scope
    LIMIT <looked>
    -- end
) AS found
WHERE 1 = 1
  -- if queue
  AND queue = :queue
  -- end
  -- if type
  AND type = :type
  -- end
  -- if dueFrom
  AND due_at >= :dueFrom
  -- end
  -- if dueBefore
  AND due_at < :dueBefore
  -- end
GROUP BY queue, CASE WHEN state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED') THEN state ELSE 'DEAD' END
