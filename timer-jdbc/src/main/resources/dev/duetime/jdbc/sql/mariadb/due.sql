-- Reads the oldest due timers of the shards that a node owns, in one round trip: the oldest keys of each shard, read
-- from the index alone, then the oldest of all; only those rows are read in full. Order and index of the join are
-- fixed: after a load the statistics may still be those of an empty table, for which any plan is good.
--
-- All parts are read before the oldest are known, so that each is limited to its share; DuePage knows what that cuts
-- off.
--
-- Large payloads, headers, traces and errors are left out and read by large_contents.sql, so that what is read at once
-- fits into memory.
--
-- Takes no lock. Index: timer_schedules_wake.
SELECT STRAIGHT_JOIN
       tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       CASE WHEN octet_length(payload) <= <inline> THEN payload END AS payload,
       CASE WHEN octet_length(headers) <= <inline> THEN headers END AS headers,
       CASE WHEN octet_length(trace) <= <inline> THEN trace END AS trace,
       priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
       registered_at, settled_at,
       CASE WHEN octet_length(error) <= <inline> THEN error END AS error,
       first_failed_at, last_failed_at, previous_at,
       octet_length(payload) + coalesce(octet_length(headers), 0) + coalesce(octet_length(trace), 0)
           + coalesce(octet_length(error), 0) AS content_bytes
FROM (
    SELECT *
    FROM (
        -- each shard, joined by UNION ALL
        (
            SELECT tenant_id, timer_id, scope, wake_at
            FROM timer_schedules FORCE INDEX (timer_schedules_wake)
            WHERE queue = :queue AND shard = :shard AND state = 'SCHEDULED' AND wake_at >= :from AND wake_at <= :now
            ORDER BY wake_at
            LIMIT <perShard>
        )
        -- end
    ) AS due
    ORDER BY wake_at
    LIMIT <limit>
) AS oldest
JOIN timer_schedules FORCE INDEX (PRIMARY) USING (tenant_id, timer_id, scope, wake_at)
