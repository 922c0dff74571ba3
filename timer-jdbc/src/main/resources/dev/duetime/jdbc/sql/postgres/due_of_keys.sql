-- Reads what due.sql reads, in the same way, but only timers of given parallel keys. Of these it leaves out timers of given
-- types, and timers of given tenants up to a priority. What is left out is read over, so that the cost is that of due.sql
-- and of the range of the index that it takes up.
--
-- Large payloads, headers, traces and errors are left out and read by large_contents.sql, so that what is read at once
-- fits into memory.
--
-- A settlement finds the row again by its place. The size of the table, which is determined once, tells whether
-- statements need other plans.
--
-- Takes no lock. Index: timer_schedules_wake.
WITH given AS (
    SELECT CAST(:only AS text[]) AS keys, CAST(:types AS text[]) AS types,
           CAST(:tenants AS text[]) AS tenants, CAST(:upTo AS integer) AS up_to
)
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
      AND parallel_key = ANY (CAST((SELECT keys FROM given) AS text[]))
      AND type <> ALL (CAST((SELECT types FROM given) AS text[]))
      AND (priority > (SELECT up_to FROM given) OR tenant_id <> ALL (CAST((SELECT tenants FROM given) AS text[])))
    ORDER BY wake_at
    LIMIT <perShard>
) AS due
ORDER BY wake_at
LIMIT <limit>
