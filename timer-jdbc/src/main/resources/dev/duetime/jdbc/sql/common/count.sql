-- Counts timers by queue and state. A row in a state that this version does not know is counted as DEAD. Takes no lock.
-- Index and bound: as query.sql. Whether there are more is told by query_more.sql.
SELECT queue,
       CASE WHEN state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED') THEN state ELSE 'DEAD' END AS state,
       count(*) AS timers
FROM (
    SELECT queue, state, type, due_at
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
    -- if bounded
    ORDER BY tenant_id, timer_id, scope
    LIMIT <looked>
    -- end
) AS found
WHERE 1 = 1
  -- if queue
  AND queue = :queue
  -- end
  -- if scheduled
  AND state = 'SCHEDULED'
  -- end
  -- if ended
  AND state = :state
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
