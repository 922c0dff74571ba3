-- Lets timers be delivered again later, but not those of which another generation stands by now. Locks the rows, in no
-- fixed order: a deadlock is possible and repeated. Index: primary key.
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
SET wake_at = given.wake_at,
    attempt = given.attempt,
    error = COALESCE(given.error, standing.error),
    first_failed_at = COALESCE(given.first_failed_at, standing.first_failed_at),
    last_failed_at = COALESCE(given.last_failed_at, standing.last_failed_at),
    started_at = NULL
FROM unnest(
    (SELECT CAST(:tenantId AS text[])
     FROM set_config('lock_timeout', COALESCE(CAST(:lockTimeout AS text), current_setting('lock_timeout')), true)),
    (SELECT CAST(:timerId AS text[])),
    (SELECT CAST(:scope AS text[])),
    (SELECT CAST(:generation AS bigint[])),
    (SELECT CAST(:wakeAt AS bigint[])),
    (SELECT CAST(:attempt AS integer[])),
    (SELECT CAST(:error AS text[])),
    (SELECT CAST(:firstFailedAt AS bigint[])),
    (SELECT CAST(:lastFailedAt AS bigint[]))
) AS given (tenant_id, timer_id, scope, generation, wake_at, attempt, error, first_failed_at, last_failed_at)
WHERE standing.tenant_id = given.tenant_id
  AND standing.timer_id = given.timer_id
  AND standing.scope = given.scope
  AND standing.generation = given.generation
  AND standing.state || '' = 'SCHEDULED'
