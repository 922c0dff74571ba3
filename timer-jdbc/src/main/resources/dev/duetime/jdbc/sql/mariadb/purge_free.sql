-- Finds some of the timers that ended before a time and that no other transaction holds; dead ones are left out. Locks
-- the rows. Index: timer_schedules_settled.
SELECT tenant_id, timer_id, scope, generation
FROM timer_schedules FORCE INDEX (timer_schedules_settled)
WHERE queue = :queue AND state IN ('REACHED', 'EXPIRED', 'CANCELLED') AND settled_at < :before
LIMIT :limit
FOR UPDATE SKIP LOCKED
