-- Finds some of the timers that ended before a time and that no other transaction holds; dead ones are left out. Locks
-- the rows. Index: timer_schedules_settled; purge.sql says why there is a lower bound.
SELECT tenant_id, timer_id, scope, generation
FROM timer_schedules
WHERE queue = :queue
  AND settled_at > -9223372036854775808
  AND settled_at < :before
  AND state IN ('REACHED', 'EXPIRED', 'CANCELLED')
FETCH FIRST :limit ROWS ONLY
FOR UPDATE SKIP LOCKED
