-- Reads the rows that a batch of schedules meets. Locks them, and fails at once if another transaction holds one; a key
-- that is not there is not locked, so that the insert that follows may find it taken. Index: primary key.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       payload, headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
       registered_at, settled_at, error, first_failed_at, last_failed_at, previous_at
FROM timer_schedules FORCE INDEX (PRIMARY)
WHERE (tenant_id, timer_id, scope) IN (
    -- each tenantId, timerId, scope, joined by ,
    (:tenantId, :timerId, :scope)
    -- end
)
FOR UPDATE NOWAIT
