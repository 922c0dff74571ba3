-- Counts the scheduled timers, of all queues together or of one, no further than a bound. Takes no lock. Index:
-- timer_schedules_state alone; of one queue timer_schedules_settled alone. It groups nothing: MySQL takes three times as
-- long to put the names of the queues of 10,000 timers into a temporary table.
SELECT count(*) AS timers
FROM (
    SELECT 1 AS one
    FROM timer_schedules
    -- if everyQueue
    FORCE INDEX (timer_schedules_state)
    -- end
    -- if queue
    FORCE INDEX (timer_schedules_settled)
    -- end
    WHERE state = 'SCHEDULED'
      -- if queue
      AND queue = :queue
      -- end
    LIMIT <looked>
) AS counted
