-- Deletes some of the timers that ended before a time; dead ones are kept. Locks the rows. Index:
-- timer_schedules_settled. The outer conditions are tested again on a row that changed meanwhile: a cancelled timer
-- that was just scheduled again stays.
DELETE FROM timer_schedules
WHERE (tenant_id, timer_id, scope) IN (
        SELECT tenant_id, timer_id, scope
        FROM timer_schedules
        WHERE queue = :queue AND settled_at < :before AND state IN ('REACHED', 'EXPIRED', 'CANCELLED')
        ORDER BY settled_at
        LIMIT :limit
    )
  AND settled_at < :before
  AND state IN ('REACHED', 'EXPIRED', 'CANCELLED')
