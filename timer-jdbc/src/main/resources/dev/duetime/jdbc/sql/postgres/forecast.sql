-- Counts the timers of some shards that wake in some slots of time, no further than a bound in each. Takes no lock.
-- Index: timer_schedules_wake alone.
--
-- The slots and shards are joined to one index scan, which is run again for each: to plan a part of the statement for
-- each of 60 slots and 8 shards takes a hundred times as long as to run it.
SELECT slot.slot, counted.timers
FROM unnest((SELECT CAST(:slots AS integer[])), (SELECT CAST(:froms AS bigint[])), (SELECT CAST(:befores AS bigint[])))
  AS slot (slot, since, until)
CROSS JOIN unnest((SELECT CAST(:shards AS integer[]))) AS looked (shard)
CROSS JOIN LATERAL (
    SELECT count(*) AS timers
    FROM (
        SELECT wake_at
        FROM timer_schedules AS timer
        WHERE queue = :queue AND timer.shard = looked.shard AND state = 'SCHEDULED'
          AND wake_at >= slot.since AND wake_at < slot.until
        LIMIT <looked>
    ) AS few
) AS counted
