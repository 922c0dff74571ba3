-- Reads what due.sql reads, in the same way, but only timers of given parallel keys. Of these it leaves out timers of given
-- types, and timers of given tenants up to a priority. What is left out is read over, so that the cost is that of due.sql
-- and of the range of the index that it takes up.
--
-- A list is one text, with a line feed before and after each key: no key has one.
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
          AND locate(char(10) || parallel_key || char(10), :only) > 0
          AND locate(char(10) || type || char(10), :types) = 0
          AND (priority > :upTo OR locate(char(10) || tenant_id || char(10), :tenants) = 0)
        ORDER BY queue, shard, state, wake_at
        LIMIT <perShard>
    )
    -- end
) AS due
ORDER BY wake_at
LIMIT <limit>
