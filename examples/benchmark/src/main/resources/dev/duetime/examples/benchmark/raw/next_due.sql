-- Reads when the next timer of a shard is due: one probe of the index timer_schedules_wake.
SELECT wake_at
FROM timer_schedules
WHERE queue = 'default' AND shard = ? AND wake_at > -9223372036854775808
ORDER BY queue, shard, wake_at
LIMIT 1
