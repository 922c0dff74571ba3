-- Counts the scheduled timers of each queue. Takes no lock. Index: timer_schedules_wake alone, all of it, or the part
-- of one queue, if that is asked for.
SELECT queue, 'SCHEDULED' AS state, count(*) AS timers
FROM timer_schedules
WHERE state = 'SCHEDULED'
  -- if queue
  AND queue = :queue
  -- end
GROUP BY queue
