-- Ends delivered, expired and dead timers, where they were read, but not those that have moved or of which another
-- generation stands by now: what it leaves, settle_ended.sql looks for by key. Locks the rows, in no fixed order: a
-- deadlock is possible and repeated. Index: none, a row is read by its place.
--
-- A place may be that of another row by now, so key and generation are compared too. They are expressions, so that no
-- index fits. Waits and arrays are as in settle_ended.sql.
UPDATE timer_schedules AS standing
SET state = given.state,
    wake_at = NULL,
    settled_at = given.at,
    attempt = given.attempt,
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
    (SELECT CAST(:state AS text[])),
    (SELECT CAST(:at AS bigint[])),
    (SELECT CAST(:attempt AS integer[])),
    (SELECT CAST(:error AS text[])),
    (SELECT CAST(:firstFailedAt AS bigint[])),
    (SELECT CAST(:lastFailedAt AS bigint[])),
    (SELECT CAST(CAST(:place AS text[]) AS tid[]))
) AS given (
    tenant_id, timer_id, scope, generation, state, at, attempt, error, first_failed_at, last_failed_at, place
)
WHERE standing.ctid = given.place
  AND standing.tenant_id || '' = given.tenant_id
  AND standing.timer_id || '' = given.timer_id
  AND standing.scope || '' = given.scope
  AND standing.generation = given.generation
  AND standing.state || '' = 'SCHEDULED'
