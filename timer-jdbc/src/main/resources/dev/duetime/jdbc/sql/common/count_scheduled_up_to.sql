-- Counts the scheduled timers, of all queues together or of one, no further than a bound. Takes no lock. Index:
-- timer_schedules_wake alone.
SELECT count(*) AS timers
FROM (
    SELECT shard
    FROM timer_schedules
    WHERE state = 'SCHEDULED'
      -- if queue
      AND queue = :queue
      -- end
    ORDER BY queue, shard, wake_at
    LIMIT <looked>
) AS counted
