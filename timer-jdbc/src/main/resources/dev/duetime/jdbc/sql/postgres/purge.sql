-- Deletes some of the timers that ended before a time; dead ones are kept. Locks the rows, and skips those that
-- another transaction holds. Index: timer_schedules_settled. Then each row is read by its place: old timers lie on a page
-- each, and their entries in the primary key do, too.
--
-- The places are collected once, before the first row is deleted, and the rows are locked then. The conditions are
-- tested again on a row that changed meanwhile: a cancelled timer that was just scheduled again stays. The parts of a
-- partitioned table have the same places, so the key is compared, too. It is an expression, so that no index fits.
WITH old AS MATERIALIZED (
    SELECT ctid AS place, tenant_id, timer_id, scope
    FROM timer_schedules
    WHERE queue = :queue AND settled_at < :before AND state IN ('REACHED', 'EXPIRED', 'CANCELLED')
    ORDER BY settled_at
    LIMIT :limit
    FOR UPDATE SKIP LOCKED
)
DELETE FROM timer_schedules AS standing
USING old
WHERE standing.ctid = old.place
  AND standing.tenant_id || '' = old.tenant_id
  AND standing.timer_id || '' = old.timer_id
  AND standing.scope || '' = old.scope
  AND standing.settled_at < :before
  AND standing.state IN ('REACHED', 'EXPIRED', 'CANCELLED')
