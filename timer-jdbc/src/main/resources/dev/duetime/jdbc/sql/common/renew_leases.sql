-- Extends all leases that a node holds, of all queues. Locks the rows. Scans the table, which is small.
UPDATE timer_shards SET lease_until = :until WHERE owner = :node
