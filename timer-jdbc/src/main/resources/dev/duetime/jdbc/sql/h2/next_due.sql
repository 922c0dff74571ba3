-- Reads the earliest time after a given one at which a timer of the given shards wakes: one probe of the index for each
-- shard. Its ORDER BY must name all columns of the index. Takes no lock. Index: timer_schedules_wake.
SELECT min(wake_at) AS wake_at
FROM (
    -- each shard, joined by UNION ALL
    (
        SELECT wake_at
        FROM timer_schedules
        WHERE queue = :queue AND shard = :shard AND state = 'SCHEDULED' AND wake_at > :after
        ORDER BY queue, shard, state, wake_at
        LIMIT 1
    )
    -- end
) AS earliest
