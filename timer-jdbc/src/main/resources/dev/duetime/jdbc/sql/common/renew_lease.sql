-- Extends the lease of one shard, if the node holds it. Locks the row. Index: primary key.
UPDATE timer_shards SET lease_until = :until WHERE queue = :queue AND shard = :shard AND owner = :node
