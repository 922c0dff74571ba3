-- A part for each shard: Citus refuses LATERAL with a limit.
-- Counts the timers of some shards that wake in some slots of time, no further than a bound in each. Takes no lock.
-- Index: timer_schedules_wake alone.
-- each slot, shard, from, before, joined by UNION ALL
SELECT CAST(:slot AS INTEGER) AS slot, count(*) AS timers
FROM (
    SELECT wake_at
    FROM timer_schedules
    WHERE queue = :queue AND shard = :shard AND state = 'SCHEDULED' AND wake_at >= :from AND wake_at < :before
    LIMIT <looked>
) AS counted
-- end
