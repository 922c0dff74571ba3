-- Reads one page of timers in order of their keys. Takes no lock. Index: primary key, from :afterTenantId,
-- :afterTimerId, :afterScope (all keys come after the empty ones), or timer_schedules_dead likewise, if there is one and
-- the state is DEAD; what else is asked for is tested row by row. A condition is none if its parameter is NULL; due times
-- are unbounded by the least and the greatest bigint.
-- A row in a state that this version does not know is shown, and so found, as DEAD.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       payload, headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
       registered_at, settled_at, error, first_failed_at, last_failed_at, previous_at
FROM timer_schedules
WHERE (tenant_id, timer_id, scope) > (:afterTenantId, :afterTimerId, :afterScope)
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
ORDER BY tenant_id, timer_id, scope
LIMIT :limit
