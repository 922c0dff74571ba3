-- Reads the oldest due timers of a shard. The order names all columns of the index, as H2 wants it. Index:
-- timer_schedules_wake.
SELECT tenant_id, timer_id, generation, due_at, expires_at, attempt, type, payload, headers, priority, correlation_id
FROM timer_schedules
WHERE queue = 'default' AND shard = ? AND state = 'SCHEDULED' AND wake_at <= ?
ORDER BY queue, shard, state, wake_at
LIMIT ?
