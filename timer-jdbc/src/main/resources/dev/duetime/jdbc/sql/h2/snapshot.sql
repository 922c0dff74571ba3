-- Reads what an idle node has to know of its queues, by one statement, so that all of it is of one moment. Takes no
-- lock. The inner ORDER BY must name all columns of the index. Index: primary keys; timer_schedules_wake, one probe for
-- each shard that the node holds.
-- Kind 0 is a shard: its owner, its epoch, the end of its lease, and when its next timer wakes, if the node holds it or
-- has no name.
-- Kind 1 is the announcement of a node. Kind 2 is a pause. Both are few, and are read for all queues.
SELECT held.queue, 0 AS kind, held.owner AS name, held.shard, held.epoch, held.lease_until AS until,
       CASE WHEN held.owner = :node OR :node = '' THEN (
           SELECT waiting.wake_at
           FROM timer_schedules AS waiting
           WHERE waiting.queue = held.queue AND waiting.shard = held.shard AND waiting.state = 'SCHEDULED'
             AND waiting.wake_at > -9223372036854775807
           ORDER BY waiting.queue, waiting.shard, waiting.state, waiting.wake_at
           LIMIT 1
       ) END AS wake_at,
       '' AS operator, '' AS reason
FROM timer_shards AS held
WHERE held.queue IN (
    -- each queue, joined by ,
    :queue
    -- end
)
UNION ALL
SELECT queue, 1, node, 0, 0, alive_until, 0, '', '' FROM timer_nodes
UNION ALL
SELECT queue, 2, paused_by, 0, 0, paused_at, 0, operator, reason FROM timer_pauses
ORDER BY 1, 2, 4
