-- Reads the oldest due timers of the shards that a node owns, in one round trip: the oldest of each, then the oldest
-- of all. The shards are joined to one index scan, which is run again for each: a part of the statement for each of 64
-- shards takes three times as long to begin (1.2 ms instead of 0.4 where nothing is due).
--
-- All shards are read before the oldest are known, so that each is limited to its share; DuePage knows what that cuts
-- off.
--
-- The limits are written into the text, and the times and shards are subqueries, so that the cost does not depend on a
-- parameter and PostgreSQL keeps a generic plan.
--
-- Large payloads, headers, traces and errors are left out and read by large_contents.sql, so that what is read at once
-- fits into memory.
--
-- A settlement finds the row again by its place. The size of the table, which is determined once, tells whether
-- statements need other plans.
--
-- Takes no lock. Index: timer_schedules_wake.
SELECT due.*,
       (SELECT pg_relation_size(COALESCE(
            to_regclass(quote_ident(current_schema()) || '.' || quote_ident('timer_schedules')),
            to_regclass(quote_ident('timer_schedules'))))) AS table_bytes
FROM unnest((SELECT CAST(:shards AS integer[]))) AS owned (shard)
CROSS JOIN LATERAL (
    SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
           CASE WHEN octet_length(payload) <= <inline> THEN payload END AS payload,
           CASE WHEN octet_length(headers) <= <inline> THEN headers END AS headers,
           CASE WHEN octet_length(trace) <= <inline> THEN trace END AS trace,
           priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
           registered_at, settled_at,
           CASE WHEN octet_length(error) <= <inline> THEN error END AS error,
           first_failed_at, last_failed_at, previous_at,
           octet_length(payload) + coalesce(octet_length(headers), 0) + coalesce(octet_length(trace), 0)
               + coalesce(octet_length(error), 0) AS content_bytes, ctid AS place
    FROM timer_schedules AS timer
    WHERE queue = :queue AND timer.shard = owned.shard AND state = 'SCHEDULED'
      AND wake_at >= (SELECT CAST(:from AS bigint)) AND wake_at <= (SELECT CAST(:now AS bigint))
    ORDER BY wake_at
    LIMIT <perShard>
) AS due
ORDER BY wake_at
LIMIT <limit>
