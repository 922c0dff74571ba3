-- Reads the last occurrences of a timer. Takes no lock. Index: primary key, backward.
SELECT due_at, outcome, ended_at, attempts, error
FROM timer_occurrences
WHERE tenant_id = :tenantId AND timer_id = :timerId AND scope = :scope
ORDER BY due_at DESC
LIMIT :limit
