-- Counts the scheduled timers of each queue, no further than a bound unless the caller allows a scan. Takes no lock.
-- Index: timer_schedules_settled alone, a part of it for each queue. The queues are found by one probe each. The index
-- that serves the poll has the shard before the state, so that all of it would be read.
SELECT queue, 'SCHEDULED' AS state, count(*) AS timers
FROM (
    SELECT STRAIGHT_JOIN timer.queue
    FROM (SELECT queue FROM timer_schedules GROUP BY queue) AS known
    JOIN timer_schedules AS timer FORCE INDEX (timer_schedules_settled) ON timer.queue = known.queue
    WHERE timer.state = 'SCHEDULED'
      -- if queue
      AND known.queue = :queue
      -- end
    -- if bounded
    LIMIT <looked>
    -- end
) AS counted
GROUP BY queue
