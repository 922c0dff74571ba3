-- Ends a delivered, expired or dead timer, unless another generation stands by now. Locks the row. Index: primary key.
UPDATE timer_schedules
SET state = :state,
    wake_at = NULL,
    settled_at = :at,
    attempt = :attempt,
    error = :error,
    first_failed_at = :firstFailedAt,
    last_failed_at = :lastFailedAt,
    started_at = NULL
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND generation = :generation
  AND state = 'SCHEDULED'
