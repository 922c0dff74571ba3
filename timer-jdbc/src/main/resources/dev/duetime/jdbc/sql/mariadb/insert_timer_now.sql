-- Inserts a timer with a new key. Fails with a duplicate key if it was taken meanwhile, and at once if another transaction
-- holds the gap between keys where it belongs, as a search at REPEATABLE READ does. Locks the new row. Index: primary key.
SET STATEMENT innodb_lock_wait_timeout = 0 FOR
INSERT INTO timer_schedules (
    tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, revision, type,
    payload, headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
    registered_at
) VALUES (
    :tenantId, :timerId, :scope, :queue, :shard, :dueAt, :dueAt, :expiresAt, 'SCHEDULED', :generation, 0, 0, :type,
    :payload, :headers, :trace, :priority, :correlationId, :parallelKey, :correlationKey, :recurrence, :catchUp, :step,
    :registeredAt
)
