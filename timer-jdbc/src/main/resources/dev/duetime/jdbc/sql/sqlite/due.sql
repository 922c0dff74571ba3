-- Reads the oldest due timers of the shards that a node owns, in one round trip: the oldest of each shard, read from
-- the index alone, then the oldest of all; only those rows are read in full. A part of a UNION may have an ORDER BY
-- and a LIMIT only as a subquery here.
--
-- All parts are read before the oldest are known, so that each is limited to its share; DuePage knows what that cuts
-- off.
--
-- Large payloads, headers, traces and errors are left out and read by large_contents.sql, so that what is read at once
-- fits into memory.
--
-- Takes no lock. Index: timer_schedules_wake.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       CASE WHEN length(payload) <= <inline> THEN payload END AS payload,
       CASE WHEN length(CAST(headers AS BLOB)) <= <inline> THEN headers END AS headers,
       CASE WHEN length(CAST(trace AS BLOB)) <= <inline> THEN trace END AS trace,
       priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
       registered_at, settled_at,
       CASE WHEN length(CAST(error AS BLOB)) <= <inline> THEN error END AS error,
       first_failed_at, last_failed_at, previous_at,
       length(payload) + coalesce(length(CAST(headers AS BLOB)), 0) + coalesce(length(CAST(trace AS BLOB)), 0)
           + coalesce(length(CAST(error AS BLOB)), 0) AS content_bytes
FROM timer_schedules
WHERE rowid IN (
    SELECT id
    FROM (
        -- each shard, joined by UNION ALL
        SELECT *
        FROM (
            SELECT rowid AS id, wake_at
            FROM timer_schedules
            WHERE queue = :queue AND shard = :shard AND state = 'SCHEDULED' AND wake_at >= :from AND wake_at <= :now
            ORDER BY wake_at
            LIMIT <perShard>
        )
        -- end
        ORDER BY wake_at
        LIMIT <limit>
    )
)
ORDER BY timer_schedules.wake_at
