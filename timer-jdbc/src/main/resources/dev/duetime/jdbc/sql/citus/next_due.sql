-- Reads the earliest time at which a timer of the given shards wakes. Each server sends its earliest. Takes no lock.
-- Index: timer_schedules_wake, of which all entries of the shards are read; timer_schedules_wake_first of
-- docs/scale-out.md, if it is there, of which one is.
SELECT min(wake_at) AS wake_at
FROM timer_schedules
WHERE queue = :queue
  AND shard IN (
    -- each shard, joined by ,
    :shard
    -- end
  )
  AND state = 'SCHEDULED'
  AND wake_at > :after
