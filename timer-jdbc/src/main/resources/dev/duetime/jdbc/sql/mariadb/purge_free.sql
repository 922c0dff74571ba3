-- Finds some of the timers that ended before a time and that no other transaction holds; dead ones are left out. Locks
-- the rows, and delete_free.sql deletes them by their keys. Index: timer_schedules_settled, which a DELETE cannot name: if
-- most timers of a queue are old enough, it read the index of the poll instead, with all timers that stay.
SELECT tenant_id, timer_id, scope
FROM timer_schedules FORCE INDEX (timer_schedules_settled)
WHERE queue = :queue AND state IN ('REACHED', 'EXPIRED', 'CANCELLED') AND settled_at < :before
LIMIT :limit
FOR UPDATE SKIP LOCKED
