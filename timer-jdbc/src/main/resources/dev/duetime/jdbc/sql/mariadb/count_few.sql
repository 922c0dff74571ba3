-- Counts scheduled timers by queue, if few are scheduled: it looks at all of them. Takes no lock. Index: as query_few.sql.
SELECT queue, 'SCHEDULED' AS state, count(*) AS timers
FROM (
    SELECT queue, (
      1 = 1
      -- if after
      AND (
        tenant_id = :afterTenantId AND timer_id = :afterTimerId AND scope > :afterScope
        OR tenant_id = :afterTenantId AND timer_id > :afterTimerId
        OR tenant_id > :afterTenantId
      )
      -- end
      -- if tenantId
      AND tenant_id = :tenantId
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
    ) AS is_match
    FROM timer_schedules
    FORCE INDEX (timer_schedules_state)
    -- if queue
    FORCE INDEX (timer_schedules_settled)
    -- end
    WHERE state = 'SCHEDULED'
      -- if queue
      AND queue = :queue
      -- end
    LIMIT <looked>
) AS few
WHERE is_match
GROUP BY queue
