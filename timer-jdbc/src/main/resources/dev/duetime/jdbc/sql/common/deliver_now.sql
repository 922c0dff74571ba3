-- Makes a scheduled timer due now as a new generation, unless it is due already, or was delivered, cancelled or
-- scheduled again meanwhile. An occurrence that is not due yet stays where its recurrence has put it. The revision is
-- counted as by a reschedule. Locks the row. Index: primary key.
UPDATE timer_schedules
SET generation = :newGeneration,
    revision = CASE WHEN revision BETWEEN 0 AND 2147483646 THEN revision + 1 ELSE 1 END,
    attempt = 0,
    due_at = CASE WHEN due_at > :now THEN :now ELSE due_at END,
    wake_at = :now
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED' AND wake_at > :now AND (recurrence IS NULL OR due_at <= :now)
