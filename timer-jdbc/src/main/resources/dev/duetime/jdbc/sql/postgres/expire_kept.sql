-- Ends timers of a shard that are due and have expired, without reading them, and counts them by type. Locks the rows. Index:
-- timer_schedules_wake, once: what it finds is known by its place. The conditions are tested again on a row that changed
-- meanwhile: a timer that was just scheduled again stays.
--
-- Looks at no more of what is due than the limit, so that many that have not expired are not passed over again and again.
--
-- The times are subqueries so that the plan does not depend on them, as in due.sql.
WITH given AS (
    SELECT CAST(:now AS bigint) AS now
),
ended AS (
    UPDATE timer_schedules
    SET state = 'EXPIRED', wake_at = NULL, settled_at = (SELECT now FROM given), started_at = NULL
    WHERE ctid = ANY (
            ARRAY(
                SELECT due.place
                FROM (
                    SELECT ctid AS place, expires_at, recurrence
                    FROM timer_schedules
                    WHERE queue = :queue AND shard = :shard AND state = 'SCHEDULED' AND wake_at <= (SELECT now FROM given)
                    ORDER BY wake_at
                    LIMIT :limit
                ) AS due
                WHERE due.expires_at < (SELECT now FROM given) AND due.recurrence IS NULL
            )
        )
      AND state = 'SCHEDULED' AND wake_at <= (SELECT now FROM given) AND expires_at < (SELECT now FROM given)
      AND recurrence IS NULL
    RETURNING type
)
SELECT type, count(*) AS timers
FROM ended
GROUP BY type
