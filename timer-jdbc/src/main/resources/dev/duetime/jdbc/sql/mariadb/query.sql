-- Reads one page of timers in order of their keys. Takes no lock. Index: timer_schedules_state if a state is asked for,
-- else the primary key; each from the last key of the page before (written as three ranges, since a comparison of rows
-- uses no index here).
--
-- A tenant is asked for as a range: where a condition says that a column equals a text, MariaDB forgets that the index is
-- in the order asked for, and sorts all timers of the tenant.
--
-- Only keys are read at first: MariaDB would write what else the inner part finds to a temporary table.
--
-- The conditions of the inner part are those that an index answers. What else is asked for is tested on the timers that
-- it finds, and these are bounded, unless the caller allows a scan. Whether a timer matches is a column of the inner
-- part: MariaDB gives each column of a temporary table its full length, and writes a table of more than 16 MB to the disk.
--
-- A condition that is not asked for is left out of the text, and the limits are written into it: the plan of a
-- statement that may ask for anything, or for any number of rows, would read the whole table.
--
-- A row in a state that this version does not know is shown, and so found, as DEAD. Such rows are read by a statement of
-- their own: together with dead ones, the index is not in the order of the keys, and all dead timers would be sorted.
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
    SELECT tenant_id, timer_id, scope
    FROM (
        SELECT tenant_id, timer_id, scope, (
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
    ) AS looked
    WHERE is_match
    ORDER BY tenant_id, timer_id, scope
    LIMIT <limit>
) AS found
JOIN timer_schedules AS timer USING (tenant_id, timer_id, scope)
ORDER BY tenant_id, timer_id, scope
