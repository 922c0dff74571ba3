-- Deletes some of what is older than the history is kept, the oldest first. Locks the rows. Index:
-- timer_occurrences_ended, then the primary key. The outer condition is tested again on a row that changed meanwhile: an
-- occurrence that was just delivered again stays.
DELETE FROM timer_occurrences
WHERE (tenant_id, timer_id, scope, due_at) IN (
        SELECT tenant_id, timer_id, scope, due_at
        FROM timer_occurrences
        WHERE ended_at < :before
        ORDER BY ended_at
        LIMIT :limit
    )
  AND ended_at < :before
