-- Reads the oldest due timers of the shards that a node owns, in one round trip: the oldest of each, then the oldest
-- of all. Each part is read from the index in its order: its ORDER BY must name all columns of the index.
--
-- All parts are read before the oldest are known, so that each is limited to its share; DuePage knows what that cuts
-- off.
--
-- The limits are written into the text: a limit that is a parameter of a UNION keeps its first value when H2 runs the
-- statement again (seen in 2.3 and 2.5).
--
-- Large payloads, headers, traces and errors are left out and read by large_contents.sql, so that what is read at once
-- fits into memory.
--
-- Takes no lock. Index: timer_schedules_wake.
SELECT *
FROM (
    -- each shard, joined by UNION ALL
    (
        SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
               CASE WHEN octet_length(payload) <= <inline> THEN payload END AS payload,
               CASE WHEN char_length(headers) <= <inline> THEN headers END AS headers,
               CASE WHEN char_length(trace) <= <inline> THEN trace END AS trace,
               priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
               registered_at, settled_at,
               CASE WHEN char_length(error) <= <inline> THEN error END AS error,
               first_failed_at, last_failed_at, previous_at,
               octet_length(payload) + coalesce(char_length(headers), 0) + coalesce(char_length(trace), 0)
                   + coalesce(char_length(error), 0) AS content_bytes
        FROM timer_schedules
        WHERE queue = :queue AND shard = :shard AND state = 'SCHEDULED' AND wake_at >= :from AND wake_at <= :now
        ORDER BY queue, shard, state, wake_at
        LIMIT <perShard>
    )
    -- end
) AS due
ORDER BY wake_at
LIMIT <limit>
