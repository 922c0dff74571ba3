-- Reads one page of scheduled timers in order of their keys, if few are scheduled: it looks at all of them. Takes no
-- lock. Index: timer_schedules_wake.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       -- if whole
       payload, headers, trace,
       -- end
       -- if listed
       NULL AS payload, NULL AS headers, NULL AS trace,
       -- end
       priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
       registered_at, settled_at, error, first_failed_at, last_failed_at, previous_at
FROM (
    SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
           -- if whole
           payload, headers, trace,
           -- end
           priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
           registered_at, settled_at, error, first_failed_at, last_failed_at, previous_at
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
ORDER BY tenant_id, timer_id, scope
LIMIT <limit>
