-- Schedules a dead timer again as a new generation, unless it was revived, purged or scheduled again meanwhile. Locks
-- the row. Index: primary key.
UPDATE timer_schedules
SET state = 'SCHEDULED',
    generation = :newGeneration,
    attempt = 0,
    wake_at = CASE WHEN due_at > :now THEN due_at ELSE :now END,
    settled_at = NULL
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation AND state = 'DEAD'
