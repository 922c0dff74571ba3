-- Reads the earliest time, from a given one on, at which a timer of the given shards wakes. It takes one probe of the
-- index for each shard, made while the statement is planned ("Select tables optimized away"). Takes no lock. Index:
-- timer_schedules_wake.
-- It also tells whether the queue is paused, so that this costs no statement of its own; by primary key.
SELECT min(wake_at) AS wake_at, min(paused_at) AS paused_at, min(paused_by) AS paused_by, min(operator) AS operator,
       min(reason) AS reason
FROM (
    SELECT CAST(NULL AS signed) AS wake_at, paused_at, paused_by, operator, reason
    FROM timer_pauses
    WHERE queue = :queue
    UNION ALL
    -- each shard, joined by UNION ALL
    SELECT min(wake_at), NULL, NULL, NULL, NULL
    FROM timer_schedules
    WHERE queue = :queue AND shard = :shard AND state = 'SCHEDULED' AND wake_at >= :from
    -- end
) AS earliest
