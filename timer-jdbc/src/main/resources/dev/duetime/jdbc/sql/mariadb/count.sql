-- Counts timers by queue and state. A row in a state that this version does not know is counted as DEAD. Takes no lock.
-- Index and bound: as query.sql. Whether there are more is told by query_more.sql.
SELECT queue,
       CASE WHEN state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED') THEN state ELSE 'DEAD' END AS state,
       count(*) AS timers
FROM (
    SELECT queue, state, (
      1 = 1
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
    ) AS is_match
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
    -- if bounded
    ORDER BY tenant_id, timer_id, scope
    LIMIT <looked>
    -- end
) AS found
WHERE is_match
GROUP BY queue, CASE WHEN state IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED') THEN state ELSE 'DEAD' END
