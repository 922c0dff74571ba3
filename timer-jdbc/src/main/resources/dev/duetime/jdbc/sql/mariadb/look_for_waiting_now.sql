-- Reads the latest timer of a tenant, correlation key and type that waits and does not run, or one before it, inside a
-- caller's transaction. Locks it: only so does a transaction with an old snapshot see what others committed while it
-- waited for its turn. Under REPEATABLE READ that locks the gap beside it as well, so that two callers who then insert
-- timers of neighbouring correlation keys may be a deadlock. Index: timer_schedules_correlated.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       payload, headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
       registered_at, settled_at, error, first_failed_at, last_failed_at, previous_at
FROM timer_schedules FORCE INDEX (timer_schedules_correlated)
WHERE waiting_key = :correlationKey AND queue = :queue
  AND tenant_id = :tenantId AND type = :type AND started_at IS NULL
ORDER BY due_at DESC, timer_id DESC, scope DESC
LIMIT 1 OFFSET :passedOver
FOR UPDATE
