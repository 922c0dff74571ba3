-- Tells which shards a node holds, of all queues. Takes no lock. Scans the table, which is small.
SELECT queue, shard FROM timer_shards WHERE owner = :node
