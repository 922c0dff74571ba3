-- Reads the earliest time at which a timer of the given shards wakes. Each server sends its earliest. Takes no lock.
-- Index: timer_schedules_wake, of which all entries of the shards are read; timer_schedules_wake_first of
-- docs/scale-out.md, if it is there, of which one is.
-- It also tells whether the queue is paused, so that this costs no statement of its own; from the server of the queue.
SELECT min(wake_at) AS wake_at, min(paused_at) AS paused_at, min(paused_by) AS paused_by, min(operator) AS operator,
       min(reason) AS reason
FROM (
    SELECT CAST(NULL AS bigint) AS wake_at, paused_at, paused_by, operator, reason
    FROM timer_pauses
    WHERE queue = :queue
    UNION ALL
    SELECT min(wake_at), NULL, NULL, NULL, NULL
    FROM timer_schedules
    WHERE queue = :queue
      AND shard IN (
        -- each shard, joined by ,
        :shard
        -- end
      )
      AND state = 'SCHEDULED'
      AND wake_at >= :from
) AS earliest
