-- Reads when the next timer of a shard is due: one probe of the index timer_schedules_wake.
SELECT wake_at
FROM timer_schedules
WHERE queue = 'default' AND shard = ? AND state = 'SCHEDULED'
ORDER BY queue, shard, state, wake_at
LIMIT 1
