-- Reads timers without their payloads, in any state. Takes no lock. Index: primary key.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       NULL AS payload, NULL AS headers, NULL AS trace, priority, correlation_id, parallel_key, correlation_key,
       recurrence, catch_up, step, registered_at, settled_at, error, first_failed_at, last_failed_at, previous_at
FROM timer_schedules
WHERE (tenant_id, timer_id, scope) IN (
    -- each tenantId, timerId, scope, joined by ,
    (:tenantId, :timerId, :scope)
    -- end
)
