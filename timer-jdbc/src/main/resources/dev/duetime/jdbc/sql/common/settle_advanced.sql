-- Moves a todo on to what it does next, as a new generation, unless another generation stands by now. Locks the row.
-- Index: primary key.
UPDATE timer_schedules
SET generation = :nextGeneration,
    step = :step,
    due_at = :dueAt,
    wake_at = :wakeAt,
    expires_at = :expiresAt,
    priority = :priority,
    attempt = :attempt,
    payload = COALESCE(:payload, payload),
    error = :error,
    first_failed_at = :firstFailedAt,
    last_failed_at = :lastFailedAt,
    started_at = NULL
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED'
