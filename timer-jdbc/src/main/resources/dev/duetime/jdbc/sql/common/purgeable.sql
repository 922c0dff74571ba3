-- Tells which queues have a timer that the purge may delete: a row each, NULL for a queue that has none. Takes no lock.
-- Index: timer_schedules_settled. The lower bound keeps timers that have not ended from being scanned.
-- each queue, before, joined by UNION ALL
SELECT min(queue) AS queue
FROM (
    SELECT queue
    FROM timer_schedules
    WHERE queue = :queue
      AND state IN ('REACHED', 'EXPIRED', 'CANCELLED')
      AND settled_at > -9223372036854775807
      AND settled_at < :before
    LIMIT 1
) AS old
-- end
