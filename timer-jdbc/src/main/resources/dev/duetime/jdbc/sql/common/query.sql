-- Reads one page of timers in order of their keys. Takes no lock. Index: timer_schedules_dead if these are asked for,
-- else the primary key; each from the last key of the page before.
--
-- The inner part names only what an index answers. What else is asked for is tested on the timers that it finds, and
-- these are bounded, unless the caller allows a scan.
--
-- A condition that is not asked for is left out of the text, and the limits are written into it: the plan of a
-- statement that may ask for anything, or for any number of rows, would read the whole table.
--
-- A row in a state that this version does not know is shown, and so found, as DEAD.
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
ORDER BY tenant_id, timer_id, scope
LIMIT <limit>
