-- Writes a new timer. Fails with a duplicate key if another transaction was faster; then the batch is decided again.
-- Locks the new row. Index: primary key.
INSERT INTO timer_schedules (
    tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, revision, type,
    payload, headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
    registered_at
) VALUES (
    :tenantId, :timerId, :scope, :queue, :shard, :dueAt, :dueAt, :expiresAt, 'SCHEDULED', :generation, 0, 0, :type,
    :payload, :headers, :trace, :priority, :correlationId, :parallelKey, :correlationKey, :recurrence, :catchUp, :step,
    :registeredAt
)
