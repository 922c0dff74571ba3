-- Groups dead timers by queue, type and the error up to its first colon. Examines a bounded number of them, in the order
-- of the index. A row in a state that this version does not know counts as dead. Takes no lock. Scans the
-- table, which is small.
SELECT queue, type, error_class, count(*) AS timers, max(last_failed_at) AS last_failed_at
FROM (
    SELECT queue, type, coalesce(substr(CASE WHEN instr(error, ':') = 0 THEN error ELSE substr(error, 1, instr(error, ':') - 1) END, 1, 255), '')
             AS error_class,
           last_failed_at, error, due_at, correlation_id, parallel_key, timer_id
    FROM timer_schedules
    WHERE state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED')
      -- if tenantId
      AND tenant_id = :tenantId
      -- end
    ORDER BY stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope)
    LIMIT <looked>
) AS found
WHERE 1 = 1
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
  AND stringtoutf8(timer_id) >= stringtoutf8(:prefix) AND stringtoutf8(timer_id) < stringtoutf8(:prefixEnd)
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
  AND error_class = :errorClass
  -- end
GROUP BY queue, type, error_class
