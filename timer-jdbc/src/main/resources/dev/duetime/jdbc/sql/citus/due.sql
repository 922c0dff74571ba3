-- Reads the oldest due timers of the shards that a node owns. Each server sends its oldest, of which the oldest are
-- taken.
--
-- A part for each shard, as on one server, Citus would run one after the other, each on all servers: with 64 shards and
-- 300,000 due timers 4.4 s instead of 0.3 s. What is paid for that: a server sorts what is due there, so that the cost
-- grows with the backlog.
--
-- Large payloads, headers, traces and errors are left out and read by large_contents.sql, so that what is read at once
-- fits into memory.
--
-- Takes no lock. Index: timer_schedules_wake.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       CASE WHEN octet_length(payload) <= <inline> THEN payload END AS payload,
       CASE WHEN octet_length(headers) <= <inline> THEN headers END AS headers,
       CASE WHEN octet_length(trace) <= <inline> THEN trace END AS trace,
       priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
       registered_at, settled_at,
       CASE WHEN octet_length(error) <= <inline> THEN error END AS error,
       first_failed_at, last_failed_at, previous_at,
       octet_length(payload) + coalesce(octet_length(headers), 0) + coalesce(octet_length(trace), 0)
           + coalesce(octet_length(error), 0) AS content_bytes
FROM timer_schedules
WHERE queue = :queue
  AND shard IN (
    -- each shard, joined by ,
    :shard
    -- end
  )
  AND state = 'SCHEDULED'
  AND wake_at >= :from
  AND wake_at <= :now
ORDER BY wake_at
LIMIT <limit>
