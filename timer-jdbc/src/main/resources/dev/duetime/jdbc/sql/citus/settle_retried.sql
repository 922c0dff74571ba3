-- Lets timers be delivered again later, but not those of which another generation stands by now. Locks the rows, in no
-- fixed order: a deadlock is possible and repeated. Index: primary key. The tenants, each once, tell Citus which
-- servers it may spare; the arrays do not.
--
-- The state is compared as an expression, so that it does not fit the index of what is scheduled: while statistics say
-- that this is little, the planner would read all of that index for each batch (100,000 timers: 690 ms instead of 8).
UPDATE timer_schedules AS standing
SET wake_at = given.wake_at,
    attempt = given.attempt,
    error = COALESCE(given.error, standing.error),
    first_failed_at = COALESCE(given.first_failed_at, standing.first_failed_at),
    last_failed_at = COALESCE(given.last_failed_at, standing.last_failed_at),
    started_at = NULL
FROM unnest(
    CAST(:tenantId AS text[]),
    CAST(:timerId AS text[]),
    CAST(:scope AS text[]),
    CAST(:generation AS bigint[]),
    CAST(:wakeAt AS bigint[]),
    CAST(:attempt AS integer[]),
    CAST(:error AS text[]),
    CAST(:firstFailedAt AS bigint[]),
    CAST(:lastFailedAt AS bigint[])
) AS given (tenant_id, timer_id, scope, generation, wake_at, attempt, error, first_failed_at, last_failed_at)
WHERE standing.tenant_id = given.tenant_id
  AND standing.tenant_id = ANY (CAST(:tenants AS text[]))
  AND standing.timer_id = given.timer_id
  AND standing.scope = given.scope
  AND standing.generation = given.generation
  AND standing.state || '' = 'SCHEDULED'
