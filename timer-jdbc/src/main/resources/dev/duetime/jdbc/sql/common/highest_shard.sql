-- Reads the highest shard of the scheduled timers that lie beyond the known shards of a queue; normally there is none,
-- unless somebody has deleted shards. Takes no lock. Index: timer_schedules_wake.
SELECT shard FROM timer_schedules
WHERE queue = :queue AND state = 'SCHEDULED' AND shard BETWEEN :shards AND 499
ORDER BY shard DESC
LIMIT 1
