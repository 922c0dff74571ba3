-- Deletes some of the timers that ended before a time; dead ones are kept. Takes the write lock. Index:
-- timer_schedules_settled.
DELETE FROM timer_schedules
WHERE rowid IN (
    SELECT rowid
    FROM timer_schedules
    WHERE queue = :queue AND settled_at < :before AND state IN ('REACHED', 'EXPIRED', 'CANCELLED')
    ORDER BY settled_at
    LIMIT :limit
)
