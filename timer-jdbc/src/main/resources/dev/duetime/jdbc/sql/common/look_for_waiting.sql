-- Reads the latest timer of a tenant, correlation key and type that waits and does not run, or one before it. Takes no
-- lock: only the first half of a look, after which lock_waiting.sql locks the row if it is still the same. What waits
-- is entered from behind, and of those of one due time the greatest key is taken. Index: timer_schedules_correlated.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       payload, headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
       registered_at, settled_at, error, first_failed_at, last_failed_at, previous_at
FROM timer_schedules
WHERE queue = :queue AND correlation_key = :correlationKey AND state = 'SCHEDULED'
  AND tenant_id = :tenantId AND type = :type AND started_at IS NULL
ORDER BY due_at DESC, timer_id DESC, scope DESC
LIMIT 1 OFFSET :passedOver
