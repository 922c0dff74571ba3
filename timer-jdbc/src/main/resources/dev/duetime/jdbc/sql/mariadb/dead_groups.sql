-- Groups dead timers by queue, type and the error up to its first colon, which is cut to 255 characters. Examines a bounded
-- number of them, in the order of the index. Rows in a state that this version does not know count as dead; they are read
-- by this statement, too, but apart. Takes no lock. Index: timer_schedules_state.
--
-- The inner part becomes a temporary table, in which MariaDB gives each column its full length. So it has as few columns
-- as it can, and no error: with that it would be on the disk. Whether a timer matches is a column of its own.
SELECT queue, type, error_class, count(*) AS timers, max(last_failed_at) AS last_failed_at
FROM (
    SELECT queue, type, coalesce(left(substring_index(error, ':', 1), 255), '') AS error_class, last_failed_at, (
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
      -- if idRange
      AND timer_id >= :prefix AND timer_id < :prefixEnd
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
    FORCE INDEX (timer_schedules_state)
    WHERE 1 = 1
      -- if ended
      AND state = :state
      -- end
      -- if unknown
      AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED', 'DEAD')
      -- end
      -- if tenantId
      AND tenant_id >= :tenantId AND tenant_id <= :tenantId
      -- end
    ORDER BY tenant_id, timer_id, scope
    LIMIT <looked>
) AS found
WHERE is_match
GROUP BY queue, type, error_class
