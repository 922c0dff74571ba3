-- Moves recurring timers on to their next occurrence, as a new generation, but not those of which another generation
-- stands by now. Locks the rows, in no fixed order: a deadlock is possible and repeated. Index: primary key.
--
-- The state is compared as an expression, so that it does not fit the index of what is scheduled: while statistics say
-- that this is little, the planner would read all of that index for each batch (100,000 timers: 690 ms instead of 8).
--
-- It waits for rows that others hold no longer than it is told, which is set before the first row is locked and holds
-- for this transaction alone.
UPDATE timer_schedules AS standing
SET generation = given.next_generation,
    due_at = given.due_at,
    wake_at = given.due_at,
    expires_at = given.expires_at,
    previous_at = given.previous_at,
    attempt = 0,
    started_at = NULL,
    error = given.error,
    first_failed_at = given.first_failed_at,
    last_failed_at = given.last_failed_at
FROM unnest(
    (SELECT CAST(:tenantId AS text[])
     FROM set_config('lock_timeout', COALESCE(CAST(:lockTimeout AS text), current_setting('lock_timeout')), true)),
    CAST(:timerId AS text[]),
    CAST(:scope AS text[]),
    CAST(:generation AS bigint[]),
    CAST(:nextGeneration AS bigint[]),
    CAST(:dueAt AS bigint[]),
    CAST(:expiresAt AS bigint[]),
    CAST(:previousAt AS bigint[]),
    CAST(:error AS text[]),
    CAST(:firstFailedAt AS bigint[]),
    CAST(:lastFailedAt AS bigint[])
) AS given (
    tenant_id, timer_id, scope, generation, next_generation, due_at, expires_at, previous_at,
    error, first_failed_at, last_failed_at
)
WHERE standing.tenant_id = given.tenant_id
  AND standing.timer_id = given.timer_id
  AND standing.scope = given.scope
  AND standing.generation = given.generation
  AND standing.state || '' = 'SCHEDULED'
