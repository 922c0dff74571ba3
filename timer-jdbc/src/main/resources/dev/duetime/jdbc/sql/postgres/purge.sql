-- Deletes some of the timers that ended before a time; dead ones are kept. Locks the rows, and passes over those that
-- another transaction holds. Index: timer_schedules_settled, then the primary key.
--
-- The keys are collected once, before the first row is deleted. The conditions are tested again on a row that changed
-- meanwhile: a cancelled timer that was just scheduled again stays.
WITH old AS MATERIALIZED (
    SELECT tenant_id, timer_id, scope
    FROM timer_schedules
    WHERE queue = :queue AND settled_at < :before AND state IN ('REACHED', 'EXPIRED', 'CANCELLED')
    ORDER BY settled_at
    LIMIT :limit
    FOR UPDATE SKIP LOCKED
)
DELETE FROM timer_schedules AS standing
USING old
WHERE standing.tenant_id = old.tenant_id
  AND standing.timer_id = old.timer_id
  AND standing.scope = old.scope
  AND standing.settled_at < :before
  AND standing.state IN ('REACHED', 'EXPIRED', 'CANCELLED')
