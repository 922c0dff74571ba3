-- Tells whether a queue is paused: one row in any case, as next_due.sql gives it. Takes no lock. Index: primary key.
SELECT NULL AS wake_at, min(paused_at) AS paused_at, min(paused_by) AS paused_by, min(operator) AS operator,
       min(reason) AS reason
FROM timer_pauses
WHERE queue = :queue
