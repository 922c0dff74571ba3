-- Reads the earliest time at which a timer of the given shards wakes: one probe of the index for each shard. Its ORDER
-- BY must name all columns of the index; the lower bound keeps ended timers, whose wake_at is NULL, from being
-- scanned. Takes no lock. Index: timer_schedules_wake.
SELECT min(wake_at) AS wake_at
FROM (
    -- each shard, joined by UNION ALL
    (
        SELECT wake_at
        FROM timer_schedules
        WHERE queue = :queue AND shard = :shard AND wake_at > -9223372036854775808
        ORDER BY queue, shard, wake_at
        LIMIT 1
    )
    -- end
) AS earliest
