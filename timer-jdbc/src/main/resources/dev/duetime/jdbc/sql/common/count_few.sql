-- Counts scheduled timers by queue, if few are scheduled: it looks at all of them. Takes no lock. Index:
-- timer_schedules_wake.
SELECT queue, 'SCHEDULED' AS state, count(*) AS timers
FROM (
    SELECT queue, type, due_at, tenant_id, timer_id, scope
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
GROUP BY queue
