-- Deletes timers that their queue does not keep, where they were read, but not those that have moved or of which another
-- generation stands by now: what it leaves, settle_deleted.sql looks for by key. Locks the rows, in no fixed order: a
-- deadlock is possible and repeated. Index: none, a row is read by its place.
--
-- A place may be that of another row by now, so key and generation are compared too. They are expressions, so that no
-- index fits. Waits and arrays are as in settle_deleted.sql.
DELETE FROM timer_schedules AS standing
USING unnest(
    (SELECT CAST(:tenantId AS text[])
     FROM set_config('lock_timeout', COALESCE(CAST(:lockTimeout AS text), current_setting('lock_timeout')), true)),
    (SELECT CAST(:timerId AS text[])),
    (SELECT CAST(:scope AS text[])),
    (SELECT CAST(:generation AS bigint[])),
    (SELECT CAST(CAST(:place AS text[]) AS tid[]))
) AS given (tenant_id, timer_id, scope, generation, place)
WHERE standing.ctid = given.place
  AND standing.tenant_id || '' = given.tenant_id
  AND standing.timer_id || '' = given.timer_id
  AND standing.scope || '' = given.scope
  AND standing.generation = given.generation
  AND standing.state || '' = 'SCHEDULED'
