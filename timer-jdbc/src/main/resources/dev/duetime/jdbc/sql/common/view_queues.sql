-- Reads the leases and announcements of some queues, as view_shards.sql does of one: rows with a node are announcements.
-- Takes no lock. Index: primary keys.
SELECT queue, shard, owner, epoch, lease_until, NULL AS node FROM timer_shards
WHERE queue IN (
    -- each queue, joined by ,
    :queue
    -- end
)
UNION ALL
SELECT queue, 0, NULL, 0, alive_until, node FROM timer_nodes
ORDER BY queue, shard
