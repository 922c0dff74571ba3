-- Reads what due.sql reads, in the same way, but for timers of given parallel keys, timers of given types, and timers of
-- given tenants up to a priority. What is left out is read over, so that the cost is that of due.sql and of the range of the index that it
-- takes up.
--
-- Larger payloads are left out and read by payloads.sql, so that what is read at once fits into memory.
--
-- Takes no lock. Index: timer_schedules_wake.
SELECT tenant_id, timer_id, scope, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type,
       CASE WHEN octet_length(payload) <= <inline> THEN payload END AS payload,
       headers, trace, priority, correlation_id, parallel_key, correlation_key, recurrence, catch_up, step,
       registered_at, settled_at, error, first_failed_at, last_failed_at, previous_at,
       octet_length(payload) AS payload_bytes
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
  AND (parallel_key IS NULL OR parallel_key <> ALL (CAST(:parallelKeys AS text[])))
  AND type <> ALL (CAST(:types AS text[]))
  AND (priority > :upTo OR tenant_id <> ALL (CAST(:tenants AS text[])))
ORDER BY wake_at
LIMIT <limit>
