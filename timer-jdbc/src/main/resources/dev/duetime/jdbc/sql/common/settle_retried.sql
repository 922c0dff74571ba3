-- Lets a timer be delivered again later, unless another generation stands by now. Locks the row. Index: primary key.
UPDATE timer_schedules
SET wake_at = :wakeAt,
    attempt = :attempt,
    error = COALESCE(:error, error),
    first_failed_at = COALESCE(:firstFailedAt, first_failed_at),
    last_failed_at = COALESCE(:lastFailedAt, last_failed_at),
    started_at = NULL
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED'
