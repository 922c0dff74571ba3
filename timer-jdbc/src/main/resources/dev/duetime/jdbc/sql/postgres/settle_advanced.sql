-- Moves todos on to what they do next, as a new generation, but not those of which another generation stands by now; a
-- payload that is not given stays. Locks the rows, in no fixed order: a deadlock is possible and repeated. Index:
-- primary key.
--
-- The state is compared as an expression, so that it does not fit the index of what is scheduled: while statistics say
-- that this is little, the planner would read all of that index for each batch (100,000 timers: 690 ms instead of 8).
--
-- Each array is a subquery, so that the planner does not see how long it is: for a few rows it would take a plan made
-- just for them to be cheaper than the generic one, and plan again each time, which takes longer than to run it.
--
-- It waits for rows that others hold no longer than it is told, which is set before the first row is locked and holds
-- for this transaction alone.
UPDATE timer_schedules AS standing
SET generation = given.next_generation,
    step = given.step,
    due_at = given.due_at,
    wake_at = given.wake_at,
    expires_at = given.expires_at,
    priority = given.priority,
    attempt = given.attempt,
    payload = COALESCE(given.payload, standing.payload),
    error = given.error,
    first_failed_at = given.first_failed_at,
    last_failed_at = given.last_failed_at,
    started_at = NULL
FROM unnest(
    (SELECT CAST(:tenantId AS text[])
     FROM set_config('lock_timeout', COALESCE(CAST(:lockTimeout AS text), current_setting('lock_timeout')), true)),
    (SELECT CAST(:timerId AS text[])),
    (SELECT CAST(:scope AS text[])),
    (SELECT CAST(:generation AS bigint[])),
    (SELECT CAST(:nextGeneration AS bigint[])),
    (SELECT CAST(:step AS text[])),
    (SELECT CAST(:dueAt AS bigint[])),
    (SELECT CAST(:wakeAt AS bigint[])),
    (SELECT CAST(:expiresAt AS bigint[])),
    (SELECT CAST(:priority AS integer[])),
    (SELECT CAST(:attempt AS integer[])),
    (SELECT CAST(:payload AS bytea[])),
    (SELECT CAST(:error AS text[])),
    (SELECT CAST(:firstFailedAt AS bigint[])),
    (SELECT CAST(:lastFailedAt AS bigint[]))
) AS given (
    tenant_id, timer_id, scope, generation, next_generation, step, due_at, wake_at, expires_at, priority, attempt,
    payload, error, first_failed_at, last_failed_at
)
WHERE standing.tenant_id = given.tenant_id
  AND standing.timer_id = given.timer_id
  AND standing.scope = given.scope
  AND standing.generation = given.generation
  AND standing.state || '' = 'SCHEDULED'
