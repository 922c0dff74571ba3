-- Reads the oldest due timers of the shards that a node owns, in one round trip: the oldest of each, then the oldest
-- of all. The plan is a Merge Append over one index scan a shard, which is lazy: of 1,000,000 due timers in 64 shards
-- it reads the 501 it returns and one more a shard (2 ms).
--
-- The limit is written into the text, and the times are subqueries, so that the cost does not depend on a parameter and
-- PostgreSQL keeps a generic plan: to plan 64 parts each time takes longer (7 ms) than to run them (1 ms).
--
-- Takes no lock. Index: timer_schedules_wake.
SELECT *
FROM (
    -- each shard, joined by UNION ALL
    (
        SELECT tenant_id, timer_id, queue, shard, due_at, wake_at, expires_at, state, generation, attempt, type, payload,
               headers, priority, correlation_id, parallel_key, correlation_key, recurrence, step, registered_at, settled_at,
               error, first_failed_at, last_failed_at, previous_at
        FROM timer_schedules
        WHERE queue = :queue AND shard = :shard AND state = 'SCHEDULED' AND wake_at >= (SELECT CAST(:from AS bigint))
          AND wake_at <= (SELECT CAST(:now AS bigint))
        ORDER BY wake_at
        LIMIT <limit>
    )
    -- end
) AS due
ORDER BY wake_at
LIMIT <limit>
