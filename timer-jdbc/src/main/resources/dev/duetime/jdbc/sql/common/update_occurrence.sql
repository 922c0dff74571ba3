-- Replaces the outcome of an occurrence that was delivered again. Index: primary key.
UPDATE timer_occurrences
SET outcome = :outcome, ended_at = :endedAt, attempts = :attempts, error = :error
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope AND due_at = :dueAt
