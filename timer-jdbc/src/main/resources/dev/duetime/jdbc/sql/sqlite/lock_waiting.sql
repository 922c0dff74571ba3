-- Reads the timer that look_for_waiting.sql found. The transaction holds the write lock already, see
-- take_write_lock.sql. Index: primary key.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       payload, headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
       registered_at, settled_at, error, first_failed_at, last_failed_at, previous_at
FROM timer_schedules
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED'
  AND started_at IS NULL
