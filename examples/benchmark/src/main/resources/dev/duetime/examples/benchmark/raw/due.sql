-- Reads the oldest due timers of a shard. The order names all columns of the index, as H2 wants it; the lower bound keeps
-- MariaDB and H2 from scanning ended timers. Index: timer_schedules_wake.
SELECT tenant_id, timer_id, generation, due_at, expires_at, attempt, type, payload, headers, priority, correlation_id
FROM timer_schedules
WHERE queue = 'default' AND shard = ? AND wake_at > -9223372036854775808 AND wake_at <= ?
ORDER BY queue, shard, wake_at
LIMIT ?
