-- Reads the leases of a queue's shards and, as rows with a node, the announcements of its nodes: one statement, so
-- that both are of one moment. Takes no lock. Index: primary keys.
SELECT shard, owner, epoch, lease_until, NULL AS node FROM timer_shards WHERE queue = :queue
UNION ALL
SELECT 0, NULL, 0, alive_until, node FROM timer_nodes WHERE queue = :queue
ORDER BY shard
