-- Ends delivered timers, but not those of which another generation stands. Index: primary key.
WITH given AS (
    SELECT *
    FROM unnest(?::text[], ?::text[], ?::bigint[], ?::integer[]) AS delivered (tenant_id, timer_id, generation, attempt)
)
UPDATE timer_schedules AS standing
SET state = 'REACHED', wake_at = NULL, attempt = given.attempt, settled_at = ?
FROM given
WHERE standing.tenant_id = given.tenant_id
  AND standing.timer_id = given.timer_id
  AND standing.scope = ''
  AND standing.generation = given.generation
  AND standing.state = 'SCHEDULED'
