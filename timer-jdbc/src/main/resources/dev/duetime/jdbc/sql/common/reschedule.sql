-- Moves a scheduled timer to another due time as a new generation, unless it is there already, recurs, is being run,
-- would be due after its deadline, or was delivered, cancelled or scheduled again meanwhile. The revision is counted as
-- by a reschedule. Locks the row. Index: primary key.
UPDATE timer_schedules
SET generation = :newGeneration,
    revision = CASE WHEN revision BETWEEN 0 AND 2147483646 THEN revision + 1 ELSE 1 END,
    attempt = 0,
    due_at = :dueAt,
    wake_at = :dueAt
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED' AND recurrence IS NULL AND started_at IS NULL
  AND (expires_at IS NULL OR expires_at >= :dueAt) AND (due_at <> :dueAt OR wake_at <> :dueAt)
