-- Reads one page of timers in order of their keys. H2 compares text by UTF-16 units, so that the order of code points,
-- which is that of UTF-8, is asked for in so many words. Takes no lock. Scans and sorts the table, which is small. A
-- condition is none if its parameter is NULL; due times are unbounded by the least and the greatest bigint.
-- A row in a state that this version does not know is shown, and so found, as DEAD.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       payload, headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
       registered_at, settled_at, error, first_failed_at, last_failed_at, previous_at
FROM timer_schedules
WHERE (stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope))
    > (stringtoutf8(:afterTenantId), stringtoutf8(:afterTimerId), stringtoutf8(:afterScope))
  AND (CAST(:tenantId AS varchar(255)) IS NULL OR tenant_id = :tenantId)
  AND (CAST(:queue AS varchar(255)) IS NULL OR queue = :queue)
  AND (
    CAST(:state AS varchar(255)) IS NULL
    OR CAST(:state AS varchar(255)) <> 'DEAD' AND state = :state
    OR CAST(:state AS varchar(255)) = 'DEAD' AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED')
  )
  AND (CAST(:type AS varchar(255)) IS NULL OR type = :type)
  AND due_at >= :dueFrom
  AND due_at < :dueBefore
ORDER BY stringtoutf8(tenant_id), stringtoutf8(timer_id), stringtoutf8(scope)
LIMIT :limit
