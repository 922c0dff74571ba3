-- Counts timers by queue and state. A row in a state that this version does not know is counted as DEAD. Takes no lock.
-- Index and bound: as query.sql. Whether there are more is told by query_more.sql.
SELECT queue,
       CASE WHEN state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED') THEN state ELSE 'DEAD' END AS state,
       count(*) AS timers
FROM (
    SELECT queue, state, type, due_at
    -- if correlationId
    , correlation_id
    -- end
    -- if parallelKey
    , parallel_key
    -- end
    -- if errorClass
    , error
    -- end
    -- if idPrefix
    , timer_id
    -- end
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
  -- if idPrefix
  AND timer_id >= :prefix AND timer_id < :prefixEnd
  -- end
  -- if correlationId
  AND correlation_id = :correlationId
  -- end
  -- if parallelKey
  AND parallel_key = :parallelKey
  -- end
  -- if errorClass
  AND (error = :errorClass OR substr(error, 1, :errorStartLength) = :errorStart)
  -- end
GROUP BY queue, CASE WHEN state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED') THEN state ELSE 'DEAD' END
