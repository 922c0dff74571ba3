-- Lets a timer be delivered again later, unless another generation stands by now. Locks the row. Index: primary key.
UPDATE timer_schedules
SET wake_at = :wakeAt,
    attempt = :attempt,
    error = :error,
    first_failed_at = :firstFailedAt,
    last_failed_at = :lastFailedAt,
    started_at = NULL
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED'
