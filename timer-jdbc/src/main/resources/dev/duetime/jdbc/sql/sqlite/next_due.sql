-- Reads the earliest time, from a given one on, at which a timer of the given shards wakes. It takes one probe of the
-- index for each shard. Takes no lock. Index: timer_schedules_wake.
-- It also tells whether the queue is paused, so that this costs no statement of its own; by primary key.
-- Not as one more part: 500 are the limit here.
SELECT min(wake_at) AS wake_at,
       (SELECT paused_at FROM timer_pauses WHERE queue = :queue) AS paused_at,
       (SELECT paused_by FROM timer_pauses WHERE queue = :queue) AS paused_by,
       (SELECT operator FROM timer_pauses WHERE queue = :queue) AS operator,
       (SELECT reason FROM timer_pauses WHERE queue = :queue) AS reason
FROM (
    -- each shard, joined by UNION ALL
    SELECT min(wake_at) AS wake_at
    FROM timer_schedules
    WHERE queue = :queue AND shard = :shard AND state = 'SCHEDULED' AND wake_at >= :from
    -- end
) AS earliest
