-- Counts scheduled timers by queue, if few are scheduled: it looks at all of them. Takes no lock. Index:
-- timer_schedules_wake.
SELECT queue, 'SCHEDULED' AS state, count(*) AS timers
FROM (
    SELECT queue, type, due_at, tenant_id, timer_id, scope
    -- if correlationId
    , correlation_id
    -- end
    -- if parallelKey
    , parallel_key
    -- end
    -- if errorClass
    , error
    -- end
    FROM timer_schedules
    WHERE state = 'SCHEDULED'
      -- if queue
      AND queue = :queue
      -- end
    ORDER BY queue, shard, wake_at
    LIMIT <looked>
) AS few
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
  -- if idRange
  AND timer_id >= :prefix AND timer_id < :prefixEnd
  -- end
GROUP BY queue
