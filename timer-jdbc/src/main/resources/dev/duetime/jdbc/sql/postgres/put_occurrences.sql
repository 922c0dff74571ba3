-- Writes what became of occurrences, or replaces it. The rows are in the order of their keys, so that two nodes do not
-- wait for each other in a circle. Not on Citus, which writes row by row. Index: primary key.
--
-- Each array is a subquery, for the reason that settle_retried.sql gives.
INSERT INTO timer_occurrences (tenant_id, timer_id, scope, due_at, outcome, ended_at, attempts, error)
SELECT given.tenant_id, given.timer_id, given.scope, given.due_at, given.outcome, given.ended_at, given.attempts, given.error
FROM unnest(
    (SELECT CAST(:tenantId AS text[])),
    (SELECT CAST(:timerId AS text[])),
    (SELECT CAST(:scope AS text[])),
    (SELECT CAST(:dueAt AS bigint[])),
    (SELECT CAST(:outcome AS text[])),
    (SELECT CAST(:endedAt AS bigint[])),
    (SELECT CAST(:attempts AS integer[])),
    (SELECT CAST(:error AS text[]))
) AS given (tenant_id, timer_id, scope, due_at, outcome, ended_at, attempts, error)
ON CONFLICT (tenant_id, timer_id, scope, due_at) DO UPDATE
SET outcome = excluded.outcome, ended_at = excluded.ended_at, attempts = excluded.attempts, error = excluded.error
