-- Moves a recurring timer on to its next occurrence, as a new generation, unless another generation stands by now. Locks
-- the row. Index: primary key.
UPDATE timer_schedules
SET generation = :nextGeneration,
    due_at = :dueAt,
    wake_at = :dueAt,
    expires_at = :expiresAt,
    previous_at = :previousAt,
    attempt = 0,
    started_at = NULL,
    error = :error,
    first_failed_at = :firstFailedAt,
    last_failed_at = :lastFailedAt
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED'
