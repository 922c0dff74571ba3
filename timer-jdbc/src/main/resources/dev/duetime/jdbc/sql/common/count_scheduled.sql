-- Counts the scheduled timers of each queue. Takes no lock. Index: timer_schedules_wake alone, all of it, or the part
-- of one queue. A queue of NULL means all.
SELECT queue, 'SCHEDULED' AS state, count(*) AS timers
FROM timer_schedules
WHERE state = 'SCHEDULED'
  AND (CAST(:queue AS varchar(255)) IS NULL OR queue = :queue)
GROUP BY queue
