-- Reads one page of timers in order of their keys. Takes no lock. Index: primary key, from :afterTenantId,
-- :afterTimerId, :afterScope (written as three ranges, since a comparison of rows uses no index here); what else is asked
-- for is tested row by row. A condition is none if its parameter is NULL; due times are unbounded by the least and the
-- greatest bigint.
-- A row in a state that this version does not know is shown, and so found, as DEAD.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       payload, headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
       registered_at, settled_at, error, first_failed_at, last_failed_at, previous_at
FROM timer_schedules
WHERE (
    tenant_id = :afterTenantId AND timer_id = :afterTimerId AND scope > :afterScope
    OR tenant_id = :afterTenantId AND timer_id > :afterTimerId
    OR tenant_id > :afterTenantId
  )
  AND (CAST(:tenantId AS char) IS NULL OR tenant_id = :tenantId)
  AND (CAST(:queue AS char) IS NULL OR queue = :queue)
  AND (
    CAST(:state AS char) IS NULL
    OR CAST(:state AS char) <> 'DEAD' AND state = :state
    OR CAST(:state AS char) = 'DEAD' AND state NOT IN ('SCHEDULED', 'REACHED', 'EXPIRED', 'CANCELLED')
  )
  AND (CAST(:type AS char) IS NULL OR type = :type)
  AND due_at >= :dueFrom
  AND due_at < :dueBefore
ORDER BY tenant_id, timer_id, scope
LIMIT :limit
