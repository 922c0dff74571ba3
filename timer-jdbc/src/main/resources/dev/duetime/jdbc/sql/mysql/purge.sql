-- Deletes some of the timers that ended before a time; dead ones are kept. Locks the rows, and gives up after a
-- second if another transaction holds one: then purge_free.sql finds the others. Index: timer_schedules_settled.
DELETE FROM timer_schedules
WHERE queue = :queue AND state IN ('REACHED', 'EXPIRED', 'CANCELLED') AND settled_at < :before
LIMIT :limit
