-- Reads one page of timers in order of their keys. H2 compares text by UTF-16 units. The order of code points, which is
-- that of UTF-8, is asked for in so many words. Takes no lock. Scans and sorts the table, which is small.
--
-- Only keys are sorted. H2 would keep what else the inner parts select in memory, for all timers that it sorts: their
-- payloads do not fit there.
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
    SELECT tenant_id AS found_tenant_id, timer_id AS found_timer_id, scope AS found_scope
    FROM (
        SELECT tenant_id, timer_id, scope, queue, state, type, due_at
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
        -- if bounded
        ORDER BY stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope)
        LIMIT <looked>
        -- end
    ) AS looked
    WHERE 1 = 1
      -- if queue
      AND queue = :queue
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
      AND stringtoutf8(timer_id) >= stringtoutf8(:prefix) AND stringtoutf8(timer_id) < stringtoutf8(:prefixEnd)
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
    ORDER BY stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope)
    LIMIT <limit>
) AS found
JOIN timer_schedules ON tenant_id = found_tenant_id AND timer_id = found_timer_id AND scope = found_scope
ORDER BY stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope)
