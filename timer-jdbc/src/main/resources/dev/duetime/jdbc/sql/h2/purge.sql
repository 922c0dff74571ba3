-- Deletes some of the timers that ended before a time; dead ones are kept. Locks the rows. Index:
-- timer_schedules_settled. The lower bound keeps timers that have not ended, whose settled_at is NULL, from being
-- scanned.
DELETE FROM timer_schedules
WHERE queue = :queue
  AND settled_at > -9223372036854775808
  AND settled_at < :before
  AND state IN ('REACHED', 'EXPIRED', 'CANCELLED')
FETCH FIRST :limit ROWS ONLY
