-- Counts the scheduled timers of each given pair of queue and shard, no further than :atMost, for samples. Reads that
-- many entries of the
-- index a shard. Takes no lock. Index: timer_schedules_wake.
--
-- Citus takes it as it is, and runs the parts one after the other. One count of all shards at once would be quicker there,
-- but could not stop early.
-- each pair, queue, shard, atMost, joined by UNION ALL
SELECT CAST(:pair AS INTEGER) AS pair, count(*) AS timers
FROM (
    SELECT wake_at
    FROM timer_schedules
    WHERE queue = :queue AND shard = :shard AND state = 'SCHEDULED' AND wake_at > -9223372036854775808
    LIMIT :atMost
) AS counted
-- end
