-- Deletes delivered timers, but not those of which another generation stands. Index: primary key.
DELETE FROM timer_schedules AS standing
USING unnest(?::text[], ?::text[], ?::bigint[]) AS given (tenant_id, timer_id, generation)
WHERE standing.tenant_id = given.tenant_id
  AND standing.timer_id = given.timer_id
  AND standing.scope = ''
  AND standing.generation = given.generation
  AND standing.state = 'SCHEDULED'
