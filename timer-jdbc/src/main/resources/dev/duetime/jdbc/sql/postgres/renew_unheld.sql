-- Extends all leases that a node holds, of all queues, except for those whose row another transaction holds: it waits for
-- none. Locks the rows. Scans the table, which is small.
UPDATE timer_shards AS standing
SET lease_until = :until
FROM (SELECT queue, shard FROM timer_shards WHERE owner = :node FOR UPDATE SKIP LOCKED) AS unheld
WHERE standing.queue = unheld.queue AND standing.shard = unheld.shard AND standing.owner = :node
