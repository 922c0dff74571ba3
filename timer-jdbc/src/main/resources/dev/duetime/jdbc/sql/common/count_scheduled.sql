-- Counts the scheduled timers of each queue, no further than a bound unless the caller allows a scan. Takes no lock.
-- Index: timer_schedules_wake alone.
SELECT queue, 'SCHEDULED' AS state, count(*) AS timers
FROM (
    SELECT queue
    FROM timer_schedules
    WHERE state = 'SCHEDULED'
      -- if queue
      AND queue = :queue
      -- end
    -- if bounded
    ORDER BY queue, shard, wake_at
    LIMIT <looked>
    -- end
) AS counted
GROUP BY queue
