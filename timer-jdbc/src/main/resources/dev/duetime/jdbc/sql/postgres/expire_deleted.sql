-- Deletes timers of a shard that are due and have expired, without reading them, and counts them by type. Locks the rows, in no
-- fixed order: a deadlock is possible and repeated. Index: timer_schedules_wake, once; what it finds is known by its place.
--
-- The conditions are tested again on a row that changed meanwhile: a timer that was just scheduled again stays. A place is
-- one of a partition only, and may be that of another row in another one. Queue and shard are expressions there, so that no
-- index fits.
--
-- Looks at no more of what is due than the limit, so that many that have not expired are not read again and again.
-- Leaves what may be a row that cannot be read, by its key or its headers, to who reads it: such a one is kept.
--
-- Where another transaction holds one of the rows, the statement is repeated with a lock that skips such rows. It is
-- left out before: it would write to each row that is due and has not expired.
--
-- The times are subqueries so that the plan does not depend on them, as in due.sql.
WITH given AS (
    SELECT CAST(:now AS bigint) AS now
),
ended AS (
    DELETE FROM timer_schedules
    WHERE ctid = ANY (
            ARRAY(
                SELECT due.place
                FROM (
                    SELECT ctid AS place, tenant_id, timer_id, scope, expires_at, recurrence, headers, trace
                    FROM timer_schedules
                    WHERE queue = :queue AND shard = :shard AND state = 'SCHEDULED' AND wake_at <= (SELECT now FROM given)
                    ORDER BY wake_at
                    LIMIT :limit
                    -- if skipsHeld
                    FOR UPDATE SKIP LOCKED
                    -- end
                ) AS due
                WHERE due.expires_at < (SELECT now FROM given) AND due.recurrence IS NULL
                  AND due.headers IS NULL AND due.trace IS NULL
                  AND octet_length(due.tenant_id) BETWEEN 1 AND 255 AND due.tenant_id !~ '[\u0001-\u001F\u007F-\u009F]'
                  AND octet_length(due.timer_id) BETWEEN 1 AND 255 AND due.timer_id !~ '[\u0001-\u001F\u007F-\u009F]'
                  AND octet_length(due.scope) <= 64 AND due.scope !~ '[\u0001-\u001F\u007F-\u009F]'
            )
        )
      AND queue || '' = :queue AND shard + 0 = :shard
      AND state = 'SCHEDULED' AND wake_at <= (SELECT now FROM given) AND expires_at < (SELECT now FROM given)
      AND recurrence IS NULL AND headers IS NULL AND trace IS NULL
    RETURNING type
)
SELECT type, count(*) AS timers
FROM ended
GROUP BY type
